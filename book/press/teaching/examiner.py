"""The process that checks one submission: it runs the checkers, and never the code of the submission.

That code runs in a process of its own (`examinee`), which is sent arguments and sends back values. So nothing that a
submission does to its own interpreter reaches a verdict: no name that it defines anew, and nothing that it prints.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lifelong_book.press.grading import Submission, Wrong
from lifelong_book.press.teaching.catalogue import find
from lifelong_book.press.teaching.wire import read, written

#: A reply may take so many times the seconds of the processor that are allowed: a machine may be busy. What only waits
#: is interrupted a little earlier (`grading`), so that the statements after it run.
PATIENCE = 12
#: Bytes of a reply.
LONGEST_REPLY = 50_000_000


class _Ended(Wrong):
    """The process of the submission is no more; `verdict` says why."""

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


class Examinee:
    """The process of one submission."""

    def __init__(self, job: dict[str, Any], folder: str) -> None:
        self.seconds: float = job["seconds"]
        self.rest = b""
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "lifelong_book.press.teaching.examinee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=folder,
            env=environment(folder),
        )
        self.noted: list[str] = []  # what it was refused
        said({"process": self.process.pid})
        self._send({name: job[name] for name in ("pieces", "seconds", "memory", "closed")})
        self.faults: list[str] = self._reply()["faults"]

    def ask(self, **question: Any) -> dict[str, Any]:
        """A question and its reply; `_Ended` if there is none."""
        self._send(question)
        return self._reply()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # no reply will come then, either
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def _reply(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        pipe, end = self.process.stdout.fileno(), time.monotonic() + PATIENCE * self.seconds
        while b"\n" not in self.rest:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                self.kill()
                raise _Ended("stopped", f"it did not answer within {PATIENCE * self.seconds:g} seconds")
            part = os.read(pipe, 1 << 20)
            self.rest += part
            if not part or len(self.rest) > LONGEST_REPLY:
                self.kill()
                if part:
                    raise _Ended("crashed", "its answer is too long")
                raise self._end()
        line, _, self.rest = self.rest.partition(b"\n")
        try:
            reply = dict(json.loads(line))
            self.noted = [str(why)[:200] for why in reply.pop("noted", ())]
            return reply
        except (ValueError, TypeError, RecursionError):
            self.kill()
            raise _Ended("crashed", "it wrote into the grader's pipe") from None

    def _end(self) -> _Ended:
        """How the process ended by itself, or by a limit of the system."""
        code = self.process.returncode
        if code == -signal.SIGXCPU:
            return _Ended("stopped", f"it took more than {self.seconds:g} seconds of the processor")
        how = f"by the signal {-code}" if code < 0 else f"with status {code}"
        return _Ended("crashed", f"its process ended {how}")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """End the process and all that it started."""
        if self.alive:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.05)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def environment(folder: str) -> dict[str, str]:
    """What a submission sees of this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "SYSTEMROOT") if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    homes = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "MPLCONFIGDIR"), folder)
    package = str(Path(__file__).resolve().parents[3])
    return {**kept, **threads, **homes, "PYTHONPATH": package, "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg"}


class Remote(Submission):
    """A submission whose function runs in the other process."""

    def __init__(self, examinee: Examinee, label: str, answer: object, stub: str) -> None:
        super().__init__(answer, stub, seconds=examinee.seconds)
        self.examinee, self.label, self.stopped = examinee, label, False
        self.end = time.monotonic() + PATIENCE * self.seconds

    def _run(self, arguments: tuple[Any, ...]) -> Any:
        reply = self.examinee.ask(exercise=self.label, arguments=written(arguments), seconds=max(self._left, 0.01))
        self._left -= float(reply.get("used", 0))
        if "raised" in reply:
            raise Wrong(f"{self.where} raised {str(reply['raised'])[:300]}")
        if "stopped" in reply or time.monotonic() > self.end:
            self.stopped = True
            raise Wrong(f"{self.where} was stopped: all calls together may take {self.seconds:g} seconds")
        return read(str(reply["value"]))


def verdict(examinee: Examinee, label: str) -> tuple[str, str]:
    """A word and a sentence on one answer."""
    exercise = find(label)
    assert exercise.checker is not None
    submission = None
    try:
        found = examinee.ask(exercise=exercise.label)
        if not found["there"]:
            name = Submission(None, exercise.stub).name
            return "missing", "; ".join([f"{name} is not defined", *examinee.faults[:1]])
        answer = print if found["callable"] else read(str(found["value"]))
        submission = Remote(examinee, exercise.label, answer, exercise.stub)
        exercise.checker(submission)
    except _Ended as ended:
        where = "" if submission is None else f"{submission.where}: "
        return ended.verdict, f"{where}{ended}"
    except Wrong as wrong:
        return ("stopped" if submission and submission.stopped else "not yet"), str(wrong)
    except Exception as error:  # a checker that fails on what it was given accepts nothing
        return "not yet", f"the check ended with {type(error).__name__}: {str(error)[:200]}"
    return "right", "; ".join(f"it tried what is refused: {why}" for why in examinee.noted[:1])


def said(message: dict[str, Any]) -> None:
    """A line for the grader."""
    print(json.dumps(message), flush=True)


def examine(job: dict[str, Any], folder: str) -> None:
    """Every exercise of a job; a process that ended is started again for the next one."""
    examinee = None
    try:
        for label in job["exercises"]:
            begin = time.monotonic()
            try:
                if examinee is None or not examinee.alive:
                    examinee = Examinee(job, folder)
            except _Ended as ended:  # it would end so for all others, too
                for other in job["exercises"][job["exercises"].index(label) :]:
                    said(
                        {
                            "exercise": other,
                            "verdict": ended.verdict,
                            "message": f"its cells ran: {ended}",
                            "seconds": 0,
                        }
                    )
                return
            word, message = verdict(examinee, label)
            said({"exercise": label, "verdict": word, "message": message, "seconds": time.monotonic() - begin})
    finally:
        if examinee is not None:
            examinee.kill()


if __name__ == "__main__":
    with TemporaryDirectory(ignore_cleanup_errors=True) as place:
        examine(json.loads(sys.stdin.read()), place)
