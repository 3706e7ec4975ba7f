"""The linter, the formatter and the strict type checker have nothing to say."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMMANDS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy", "--strict"],
    "types of the extensions": ["mypy", "--strict", "book/_ext"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_style(command):
    run = subprocess.run(
        [sys.executable, "-m", *COMMANDS[command]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
