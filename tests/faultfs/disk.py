"""A disk that is mounted for one test, and small things that tests of it share."""
import contextlib
import os
import subprocess
import time


class Failed(Exception):
    pass


def check(what, seen, expected):
    if seen != expected:
        raise Failed(f"{what}: {seen!r}, not {expected!r}")


def check_at_least(what, seen, least):
    if seen < least:
        raise Failed(f"{what}: {seen!r}, less than {least!r}")


def seconds_of(function):
    start = time.monotonic()
    function()
    return time.monotonic() - start


def errno_of(function):
    """The errno that a call fails with; 0 where it is done."""
    try:
        function()
        return 0
    except OSError as error:
        return error.errno


def wait_for(condition):
    while not condition():
        time.sleep(0.01)


class Disk:
    """`path` is the disk, `below` the folder behind it."""

    number = 0

    def __init__(self, top, program, knobs=""):
        Disk.number += 1
        self.program = program
        self.path = f"{top}/disk{Disk.number}"
        self.below = f"{top}/disks/{Disk.number}"
        self.control = f"{self.path}.control"
        os.mkdir(self.path)
        os.mkdir(self.below)
        subprocess.run([program, "--control", self.control, "-o", knobs, self.below, self.path], check=True)
        self.pid = int(self.ask("pid"))

    def ask(self, *lines):
        answer = subprocess.run([self.program, "--ask", self.control, *lines], capture_output=True, text=True)
        if answer.returncode != 0:
            raise Failed(f"{lines}: {answer.stderr}")
        return answer.stdout

    def count(self, name):
        return {line.split()[0]: int(line.split()[1]) for line in self.ask("counters").splitlines()}[name]

    def hits(self, fault):
        for line in self.ask("show").splitlines():
            if line.startswith(fault + " "):
                return int(line.split()[-1])
        raise Failed(f"{fault} isn't set")

    def file(self, name, content=b""):
        """A new file whose bytes the kernel doesn't have in memory, since they came another way."""
        with open(f"{self.below}/{name}", "wb") as file:
            file.write(content)
        return f"{self.path}/{name}"

    def ended(self):
        try:
            with open(f"/proc/{self.pid}/stat") as file:
                return file.read().rsplit(")", 1)[1].split()[0] == "Z"
        except (FileNotFoundError, ProcessLookupError):
            return True

    def end(self):
        if self.ended():
            subprocess.run(["umount", "-l", self.path], stderr=subprocess.DEVNULL)
            return
        self.ask("clear")
        subprocess.run(["umount", self.path], check=True)
        wait_for(self.ended)
        check("the control's socket is there", os.path.exists(self.control), False)


@contextlib.contextmanager
def opened(path, flags=os.O_RDWR | os.O_CREAT):
    fd = os.open(path, flags, 0o644)
    try:
        yield fd
    finally:
        os.close(fd)
