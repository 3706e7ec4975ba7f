"""Kernels of notebooks that need not import numpy, scipy and matplotlib anew: forked from a process that has them.

Nothing of this book is in that process, and no kernel's random numbers are those of another.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
from contextlib import chdir
from itertools import count
from multiprocessing import forkserver
from pathlib import Path

#: Seconds to wait for a message of a kernel before it counts as lost: nbval's five are not enough for a busy machine.
PATIENCE = 120
FORKED = multiprocessing.get_context("forkserver")
#: Pages beyond the paper that compute for long: run by night, or when they are named. Their claims are run by day.
BY_NIGHT = {"book/running/real_streams.ipynb", *(f"book/beyond/{name}.ipynb" for name in (
    "exactly_k", "labels", "learners", "letters", "rank", "sharpness", "tails", "two_levels"))}  # fmt: skip
FRESH = "import json, sys; print(json.dumps(sys.path[1:]))"


def run(ready, path, arguments, folder, environment):
    """A kernel, in a process of its own."""
    assert "warm" in sys.modules, "the server of kernels did not find tests/warm.py"
    import numpy as np
    from ipykernel import kernelapp
    from IPython.core import pylabtools

    pylabtools.retina_figure = sys.modules["warm"].retina_figure

    os.setsid()
    ready.send(True)
    os.chdir(folder)
    os.environ.update(environment)
    sys.path[:], sys.argv = path, arguments
    random.seed()
    np.random.seed()  # noqa: NPY002
    with open(os.devnull, "w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    kernelapp.launch_new_instance()


class Kernel:
    """What `jupyter_client` asks of a process."""

    stdin = stdout = stderr = None

    def __init__(self, *given):
        with chdir(Path(__file__).parent):  # the server looks for modules here, and is silent if there is none
            forkserver.ensure_running()
        mine, its = FORKED.Pipe()
        self.process = FORKED.Process(target=run, args=(its, *given), daemon=True)
        self.process.start()
        its.close()
        mine.recv()  # only now its group is not ours
        self.pid, self.kill, self.terminate = self.process.pid, self.process.kill, self.process.terminate

    def poll(self):
        return self.process.exitcode

    def wait(self):
        self.process.join()

    def send_signal(self, number):
        os.kill(self.pid, number)


def install():
    """Let this process start its kernels so, and reach those of notebooks by sockets in a folder of its own.

    A free port, by the time that a kernel binds it, may be somebody else's.
    """
    import nbval.kernel
    from jupyter_client.provisioning import local_provisioner

    folder, numbers = tempfile.TemporaryDirectory(prefix="kernels-"), count()
    get = nbval.kernel.RunningKernel.get_message

    class Manager(nbval.kernel.KernelManager):
        def __init__(self, **given):
            super().__init__(transport="ipc", ip=f"{folder.name}/{next(numbers)}", **given)

    def get_message(self, stream, timeout=None):
        return get(self, stream, timeout and max(timeout, PATIENCE))

    nbval.kernel.KernelManager, nbval.kernel.RunningKernel.get_message = Manager, get_message

    path = json.loads(subprocess.run([sys.executable, "-c", FRESH], capture_output=True, check=True, cwd="/").stdout)
    FORKED.set_forkserver_preload(["warm"])

    def launch_kernel(command, cwd=None, env=None, **_):
        assert command[1:3] == ["-m", "ipykernel_launcher"], command
        return Kernel(path, command[2:], cwd or os.getcwd(), dict(env or {}))

    local_provisioner.launch_kernel = launch_kernel
