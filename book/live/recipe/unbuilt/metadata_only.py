"""A build backend that builds nothing, so that pip can fetch a source archive.

`pip download` asks the archive's build backend for the metadata, for which the
real ones want compilers; but the archive holds them already, in PKG-INFO.
"""

from email.parser import HeaderParser
from pathlib import Path


class Backend:
    """Answers pip's questions from PKG-INFO."""

    def get_requires_for_build_wheel(self, config_settings=None):
        """Return what a build needs: nothing."""
        return []

    def prepare_metadata_for_build_wheel(self, metadata_directory, config_settings=None):
        """Copy PKG-INFO to where pip looks for the metadata."""
        text = Path("PKG-INFO").read_text(encoding="utf-8")
        headers = HeaderParser().parsestr(text)
        folder = Path(metadata_directory, f"{headers['Name']}-{headers['Version']}.dist-info")
        folder.mkdir()
        (folder / "METADATA").write_text(text, encoding="utf-8")
        return folder.name

    def build_wheel(self, *_):
        """Refuse."""
        raise NotImplementedError


backend = Backend()
get_requires_for_build_wheel = backend.get_requires_for_build_wheel
prepare_metadata_for_build_wheel = backend.prepare_metadata_for_build_wheel
build_wheel = backend.build_wheel
