"""The built book at an address of this machine: cells that run in the page need one, a file on the disk has none."""

import re
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

#: Only this machine is answered.
HOST = "127.0.0.1"


class _Pages(SimpleHTTPRequestHandler):
    """Files of one folder, with the types that a browser insists on, whatever the machine's own table says."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
        ".svg": "image/svg+xml",
    }

    def parse_request(self) -> bool:
        """Answer only who asks for this machine by its own name, so that no page of another place can read along."""
        if not super().parse_request():
            return False
        if re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", self.headers.get("Host", "localhost"), re.I):
            return True
        self.send_error(HTTPStatus.FORBIDDEN, "Only this machine is answered")
        return False

    def list_directory(self, path: Any) -> None:
        """A folder without a page of its own is not shown."""
        self.send_error(HTTPStatus.NOT_FOUND, "File not found")

    def end_headers(self) -> None:
        """A book that was built anew is seen at once: a browser asks whether a file is still the same."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *values: Any) -> None:
        """Say nothing of what went well."""
        if len(values) > 1 and str(values[1]) >= "400":
            super().log_message(format, *values)


def server(folder: Path | str, port: int = 0) -> ThreadingHTTPServer:
    """A server of the built book; it listens, and answers once `serve_forever` is called."""
    if not (Path(folder) / "index.html").is_file():
        raise FileNotFoundError(f"no built book in {folder}")
    return ThreadingHTTPServer((HOST, port), partial(_Pages, directory=str(folder)))


def address(of: ThreadingHTTPServer) -> str:
    """Where a browser finds the book that is served."""
    return f"http://{HOST}:{of.server_port}/"
