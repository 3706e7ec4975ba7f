"""Run one file of numpy's own tests in Pyodide, for numpy_tests.mjs, which sets `site`."""

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

FOLDERS = ("numpy/_core/tests", "numpy/linalg/tests")


class Outcomes:
    """Collects how each test ended, and why where it did not pass."""

    def __init__(self):
        self.counts = Counter()
        self.failed = []
        self.skipped = Counter()

    def pytest_deselected(self, items):
        """Count what the marker expression leaves out."""
        self.counts["deselected"] += len(items)

    def pytest_collectreport(self, report):
        """Note a file that cannot be collected."""
        if report.failed:
            self.counts["error"] += 1
            self.failed.append([report.nodeid, "collecting", str(report.longrepr)[-1500:]])
        elif report.skipped:
            self.counts["skipped"] += 1
            self.skipped[str(report.longrepr[2])] += 1

    def pytest_runtest_logreport(self, report):
        """Note one phase of one test."""
        expected = hasattr(report, "wasxfail")
        if report.skipped:
            self.counts["xfailed" if expected else "skipped"] += 1
            if not expected:
                self.skipped[str(report.longrepr[2])] += 1
        elif report.failed:
            self.counts["failed" if report.when == "call" else "error"] += 1
            self.failed.append([report.nodeid, report.when, str(report.longrepr)[-1500:]])
        elif report.when == "call":
            self.counts["xpassed" if expected else "passed"] += 1


def listed():
    """Return the names of the test files, as JSON."""
    root = Path(site)  # noqa: F821
    files = [path for folder in FOLDERS for path in sorted((root / folder).glob("test_*.py"))]
    return json.dumps([path.relative_to(root).as_posix() for path in files])


def run(file):
    """Run one test file without the tests that numpy marks as slow; return JSON."""
    os.chdir(site)  # noqa: F821
    outcomes = Outcomes()
    begun = time.monotonic()
    options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-m", "not slow"]
    status = pytest.main([*options, "-c", "pytest.ini", file], plugins=[outcomes])
    return json.dumps(
        {
            "file": file,
            "seconds": time.monotonic() - begun,
            "status": int(status),
            "counts": dict(outcomes.counts),
            "failed": outcomes.failed,
            "skipped": dict(outcomes.skipped),
        }
    )
