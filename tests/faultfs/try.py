"""The tests of faultfs. Usage: try.py GROUP TOP PROGRAM

A test is a function that gets a way to mount disks; times are only ever held against lower bounds.
"""
import ctypes
import errno
import mmap
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

from disk import Disk, Failed, check, check_at_least, errno_of, opened, seconds_of, wait_for

KIB, MIB = 1 << 10, 1 << 20
libc = ctypes.CDLL(None, use_errno=True)
groups = {}


def group(name):
    def add(function):
        groups.setdefault(name, []).append(function)
        return function

    return add


def libc_call(function, *arguments):
    """Python does again what a signal interrupted, and does itself what a disk can't: the C library doesn't here."""
    result = function(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


# What passes through as it is.


@group("data")
def files_hold_what_was_written(mount):
    disk, chance = mount(), random.Random(1)
    path, expected = f"{disk.path}/file", bytearray()
    with opened(path) as fd:
        for _ in range(300):
            offset, length = chance.randrange(3 * MIB), chance.randrange(1, 200 * KIB)
            data = chance.randbytes(length)
            check("written", os.pwrite(fd, data, offset), length)
            expected.extend(bytes(max(0, offset + length - len(expected))))
            expected[offset : offset + length] = data
        check("size", os.fstat(fd).st_size, len(expected))
        check("read on the same descriptor", os.pread(fd, len(expected), 0), bytes(expected))
        os.fsync(fd)
    check("read again", open(path, "rb").read(), bytes(expected))
    check("behind", open(f"{disk.below}/file", "rb").read(), bytes(expected))
    for size in (1 * MIB + 17, 5, 4 * MIB):
        os.truncate(path, size)
        del expected[size:]
        expected.extend(bytes(size - len(expected)))
        check(f"truncated to {size}", open(path, "rb").read(), bytes(expected))
    with open(path, "ab") as file:
        file.write(b"the end")
    check("appended", open(f"{disk.below}/file", "rb").read(), bytes(expected) + b"the end")
    open(path, "wb").close()
    check("opened with O_TRUNC", os.stat(path).st_size, 0)


@group("data")
def mapped_files_hold_what_was_written(mount):
    disk = mount()
    path = disk.file("file", bytes(range(256)) * 1024)
    with opened(path) as fd, mmap.mmap(fd, 256 * KIB) as memory:
        check("mapped", memory[1000:1010], (bytes(range(256)) * 4)[1000:1010])
        memory[100 * KIB : 100 * KIB + 5] = b"hello"
        memory.flush()
    check("behind", open(f"{disk.below}/file", "rb").read()[100 * KIB :][:5], b"hello")


@group("data")
def names_pass_through(mount):
    disk = mount()
    here = disk.path
    open(f"{here}/a", "w").write("a")
    open(f"{here}/b", "w").write("b")
    check("O_EXCL", errno_of(lambda: os.open(f"{here}/a", os.O_CREAT | os.O_EXCL)), errno.EEXIST)
    os.link(f"{here}/a", f"{here}/hard")
    check("links", os.stat(f"{here}/a").st_nlink, 2)
    check("one file", os.stat(f"{here}/a").st_ino, os.stat(f"{here}/hard").st_ino)
    os.rename(f"{here}/a", f"{here}/b")
    check("replaced", open(f"{here}/b").read(), "a")
    os.symlink("b", f"{here}/soft")
    check("symlink", os.readlink(f"{here}/soft"), "b")
    check("followed", open(f"{here}/soft").read(), "a")
    os.mkdir(f"{here}/folder", 0o700)
    check("mode", stat.S_IMODE(os.stat(f"{here}/folder").st_mode), 0o700)
    os.mkfifo(f"{here}/folder/fifo")
    check("a full folder", errno_of(lambda: os.rmdir(f"{here}/folder")), errno.ENOTEMPTY)
    os.rename(f"{here}/folder", f"{here}/moved")
    os.unlink(f"{here}/moved/fifo")
    os.rmdir(f"{here}/moved")
    check("gone", errno_of(lambda: os.stat(f"{here}/moved")), errno.ENOENT)
    check("no exchange with nothing", errno_of(
        lambda: libc_call(libc.renameat2, -100, f"{here}/b".encode(), -100, f"{here}/none".encode(), 2)), errno.ENOENT)
    with opened(f"{here}/b") as fd:
        os.unlink(f"{here}/b")
        os.pwrite(fd, b"still here", 0)
        check("unlinked while open", os.pread(fd, 100, 0), b"still here")
    check("all names", sorted(os.listdir(here)), ["hard", "soft"])
    check("behind", sorted(os.listdir(disk.below)), ["hard", "soft"])
    for i in range(3000):
        open(f"{here}/many{i}", "w").close()
    check("many names", len(set(os.listdir(here))), 3002)
    shutil.rmtree(here, ignore_errors=True)
    check("none is left", os.listdir(disk.below), [])


@group("data")
def attributes_pass_through(mount):
    disk = mount()
    path = disk.file("file", b"12345")
    behind = f"{disk.below}/file"
    os.chmod(path, 0o640)
    os.chown(path, 12, 34)
    os.utime(path, ns=(1_000_000_001, 2_000_000_002))
    for status in (os.stat(path), os.stat(behind)):
        seen = (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, status.st_atime_ns, status.st_mtime_ns)
        check("attributes", seen, (0o640, 12, 34, 1_000_000_001, 2_000_000_002))
    os.utime(path)
    check_at_least("the time now", os.stat(behind).st_mtime, time.time() - 3600)
    os.setxattr(path, "trusted.colour", b"green")
    check("extended attribute", os.getxattr(path, "trusted.colour"), b"green")
    check("listed", os.listxattr(path), ["trusted.colour"])
    os.removexattr(path, "trusted.colour")
    check("removed", errno_of(lambda: os.getxattr(path, "trusted.colour")), errno.ENODATA)
    with opened(path) as fd:
        os.posix_fallocate(fd, 0, MIB)
        check_at_least("allocated", os.stat(behind).st_blocks * 512, MIB)
    here, there = os.statvfs(disk.path), os.statvfs(disk.below)
    check("statfs", (here.f_blocks, here.f_bsize, here.f_files), (there.f_blocks, there.f_bsize, there.f_files))

    os.chmod(disk.path, 0o1777)
    child = os.fork()
    if child == 0:
        os.chmod(os.path.dirname(disk.path), 0o755)
        os.setgid(65534)
        os.setuid(65534)
        made = errno_of(lambda: os.close(os.open(f"{disk.path}/theirs", os.O_CREAT | os.O_WRONLY)))
        refused = errno_of(lambda: os.open(path, os.O_RDONLY))
        os._exit(0 if (made, refused) == (0, errno.EACCES) else 1)
    check("another user", os.waitpid(child, 0)[1], 0)
    check("owns what it made", os.stat(f"{disk.below}/theirs").st_uid, 65534)


@group("data")
def many_threads_at_once(mount):
    disk, faults = mount(), []

    def work(number):
        chance = random.Random(number)
        for i in range(40):
            data = chance.randbytes(chance.randrange(1, 300 * KIB))
            path = f"{disk.path}/{number}-{i % 7}"
            open(path + ".new", "wb").write(data)
            os.rename(path + ".new", path)
            if open(path, "rb").read() != data:
                faults.append(path)
            if i % 3 == 0:
                os.unlink(path)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("other bytes", faults, [])


@group("data")
def calls_and_bytes_are_counted(mount):
    disk = mount("attr_timeout=60s,entry_timeout=60s")
    disk.ask("zero")
    for i in range(5):
        with opened(f"{disk.path}/f{i}") as fd:
            os.write(fd, b"x" * 1000)
            os.fsync(fd)
        os.unlink(f"{disk.path}/f{i}")
    seen = {name: disk.count(name) for name in ("create", "write", "fsync", "flush", "unlink", "bytes_written", "rename")}
    check("counted", seen, {"create": 5, "write": 5, "fsync": 5, "flush": 5, "unlink": 5, "bytes_written": 5000, "rename": 0})
    open(disk.file("g", b"y" * 3000), "rb").read()
    check("bytes read", disk.count("bytes_read"), 3000)
    disk.ask("zero")
    check("zeroed", (disk.count("create"), disk.count("bytes_read"), disk.count("bytes_written")), (0, 0, 0))


# A call of each kind: what must be there, and the call.


def calls_of(disk):
    here = disk.path
    disk.file("old", b"0123456789")
    os.makedirs(f"{disk.below}/folder/inner", exist_ok=True)
    if not os.path.islink(f"{disk.below}/soft"):
        os.symlink("old", f"{disk.below}/soft")
    for name in ("new", "made"):
        if os.path.lexists(f"{disk.below}/{name}"):
            (os.rmdir if os.path.isdir(f"{disk.below}/{name}") else os.unlink)(f"{disk.below}/{name}")

    def on_file(call, flags=os.O_RDWR):
        def run():
            with opened(f"{here}/old", flags) as fd:
                call(fd)

        return run

    def fsync_folder():
        with opened(f"{here}/folder", os.O_RDONLY) as fd:
            os.fsync(fd)

    def close_file():
        os.close(os.open(f"{here}/old", os.O_RDWR))

    return {
        "lookup": lambda: os.lstat(f"{here}/old"),
        "getattr": on_file(os.fstat),
        "setattr": lambda: os.chmod(f"{here}/old", 0o600),
        "readlink": lambda: os.readlink(f"{here}/soft"),
        "mknod": lambda: os.mkfifo(f"{here}/made"),
        "mkdir": lambda: os.mkdir(f"{here}/made"),
        "symlink": lambda: os.symlink("old", f"{here}/made"),
        "link": lambda: os.link(f"{here}/old", f"{here}/made"),
        "unlink": lambda: os.unlink(f"{here}/old"),
        "rmdir": lambda: os.rmdir(f"{here}/folder/inner"),
        "rename": lambda: os.rename(f"{here}/old", f"{here}/made"),
        "create": lambda: os.close(os.open(f"{here}/new", os.O_CREAT | os.O_RDWR)),
        "open": lambda: os.close(os.open(f"{here}/old", os.O_RDWR)),
        "read": on_file(lambda fd: os.pread(fd, 10, 0)),
        "write": on_file(lambda fd: os.pwrite(fd, b"x", 0)),
        "fallocate": on_file(lambda fd: libc_call(libc.fallocate, fd, 0, ctypes.c_long(0), ctypes.c_long(4096))),
        "flush": close_file,
        "fsync": on_file(os.fsync),
        "opendir": lambda: os.listdir(f"{here}/folder"),
        "readdir": lambda: os.listdir(f"{here}/folder"),
        "fsyncdir": fsync_folder,
        "statfs": lambda: os.statvfs(here),
        "setxattr": lambda: os.setxattr(f"{here}/old", "trusted.x", b"1"),
        "getxattr": lambda: errno_of(lambda: os.getxattr(f"{here}/old", "trusted.x")),
        "listxattr": lambda: os.listxattr(f"{here}/old"),
        "removexattr": lambda: errno_of(lambda: os.removexattr(f"{here}/old", "trusted.x")),
    }


# Those whose answer the calls above hide from Python: what they answer is of no interest there.
raw_calls = {
    "getxattr": lambda here: os.getxattr(f"{here}/old", "trusted.x"),
    "removexattr": lambda here: os.removexattr(f"{here}/old", "trusted.x"),
}
forget = "attr_timeout=0,entry_timeout=0"


# How long calls take.


@group("timing")
def each_kind_has_its_latency(mount):
    disk = mount(forget)
    for kind in calls_of(disk):
        call = calls_of(disk)[kind]
        disk.ask("latency=0", f"latency.{kind}=60ms", "zero")
        check_at_least(f"seconds of {kind}", seconds_of(call), 0.06)
        check_at_least(f"calls of {kind}", disk.count(kind), 1)


@group("timing")
def latency_is_of_all_or_of_a_group(mount):
    disk = mount(f"{forget},latency=20ms")
    path = disk.file("file", b"x")
    # lookup, open, read, flush, and whatever else comes
    check_at_least("all", seconds_of(lambda: open(path, "rb").read()), 0.08)
    disk.ask("latency=0", "latency.meta=50ms")
    check_at_least("meta", seconds_of(lambda: os.stat(path)), 0.05)
    disk.ask("latency=0", "latency.sync=50ms")
    with opened(path) as fd:
        check_at_least("sync", seconds_of(lambda: os.fsync(fd)), 0.05)


@group("timing")
def calls_are_done_one_at_a_time(mount):
    disk = mount("latency.read=30ms,direct_io=on,serial=on")
    path = disk.file("file", b"x" * 4096)

    def read():
        with opened(path, os.O_RDONLY) as fd:
            for _ in range(4):
                os.pread(fd, 4096, 0)

    def all_at_once():
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    check_at_least("seconds of 16 calls in turn", seconds_of(all_at_once), 16 * 0.03)
    disk.ask("serial=off")
    read()


@group("timing")
def bandwidth_is_capped(mount):
    disk = mount("write_rate=16MiB/s,read_rate=32MiB/s")
    path = f"{disk.path}/file"
    check_at_least("writing 8 MiB", seconds_of(lambda: open(path, "wb").write(bytes(8 * MIB))), 0.5)
    check_at_least("reading 8 MiB", seconds_of(lambda: open(path, "rb").read()), 0.25)


@group("timing")
def small_requests_explain_slow_reads(mount):
    """8 ms a request, one at a time: buffered reads come as the kernel reads ahead, direct ones as asked."""
    disk = mount("latency.read=8ms,sync_reads=on")
    path, size = disk.file("file", random.Random(2).randbytes(16 * MIB)), 16 * MIB
    expected = open(f"{disk.below}/file", "rb").read()
    read_ahead = int(open(f"/sys/class/bdi/0:{os.minor(os.stat(disk.path).st_dev)}/read_ahead_kb").read()) * KIB

    def read(flags, block):
        memory = mmap.mmap(-1, block)
        seen = bytearray()
        with opened(path, os.O_RDONLY | flags) as fd:
            while os.readv(fd, [memory]) > 0:
                seen += memory[:]
        check("the bytes", bytes(seen[:size]) == expected, True)

    for what, flags, block, request in (
        ("buffered", 0, MIB, read_ahead),
        ("direct, 1 MiB", os.O_DIRECT, MIB, MIB),
        ("direct, 128 KiB", os.O_DIRECT, 128 * KIB, 128 * KIB),
    ):
        disk.ask("zero")
        seconds = seconds_of(lambda: read(flags, block))
        requests = disk.count("read")
        print(f"  {what}: {requests} requests, {size / seconds / 1e6:.1f} MB/s")
        check_at_least(f"seconds, {what}", seconds, size // request * 0.008)
        # The kernel begins with a smaller one, and asks once more at the end of the file.
        check_at_least(f"requests, {what}", requests, size // request)
        check(f"requests of {what} are large", requests <= size // request + 4, True)


@group("timing")
def the_write_buffer_takes_and_drains(mount):
    disk = mount("buffer=4MiB,drain=8MiB/s")
    with opened(f"{disk.path}/full") as fd:
        check_at_least("12 MiB through a buffer of 4", seconds_of(lambda: os.write(fd, bytes(12 * MIB))), 1.0)
        check("what is left fits in", disk.count("buffered") <= 4 * MIB, True)
    disk.ask("buffer=64MiB", "drain=32MiB/s")
    with opened(f"{disk.path}/honoured") as fd:
        check_at_least("16 MiB and fsync", seconds_of(lambda: (os.write(fd, bytes(16 * MIB)), os.fsync(fd))), 0.5)
        check("left in the buffer", disk.count("buffered"), 0)
    disk.ask("drain=1MiB/s", "fsync=noop")
    with opened(f"{disk.path}/lie") as fd:
        os.write(fd, bytes(32 * MIB))
        os.fsync(fd)
        check_at_least("left in the buffer by an fsync that lies", disk.count("buffered"), 1)


@group("timing")
def fsync_waits_for_a_file_or_for_all(mount):
    disk = mount("buffer=64MiB,drain=1MiB/s")
    with opened(f"{disk.path}/other") as other, opened(f"{disk.path}/mine") as mine:
        os.write(mine, b"x")
        os.write(other, bytes(32 * MIB))
        os.fsync(mine)
        check_at_least("of others, left", disk.count("buffered"), 1)
        disk.ask("fsync=all", "drain=32MiB/s")
        os.fsync(mine)
        check("left", disk.count("buffered"), 0)


@group("timing")
def what_is_removed_need_not_drain(mount):
    disk = mount("buffer=64MiB,drain=1MiB/s")
    for knob, stays in (("drop_removed=on", False), ("drop_removed=off", True)):
        disk.ask(knob, "drain=0", "counters", "drain=1MiB/s")  # looked at without a drain it empties at once
        for name, size in (("keep", 8), ("remove", 20)):
            with opened(f"{disk.path}/{name}") as fd:
                os.write(fd, bytes(size * MIB))
        os.unlink(f"{disk.path}/remove")
        buffered = disk.count("buffered")
        check(f"{knob}: {buffered} bytes in the buffer, of 8 or 28 MiB", buffered > 10 * MIB, stays)


@group("timing")
def fsync_may_be_unknown(mount):
    disk = mount("fsync=enosys")
    with opened(f"{disk.path}/file") as fd:
        for _ in range(3):
            os.write(fd, b"x")
            os.fsync(fd)
    check("fsync that came here", disk.count("fsync"), 1)


@group("timing")
def close_may_wait(mount):
    disk = mount("buffer=64MiB,drain=16MiB/s,flush=file")
    fd = os.open(f"{disk.path}/file", os.O_CREAT | os.O_WRONLY)
    start = time.monotonic()
    os.write(fd, bytes(8 * MIB))
    os.close(fd)
    check_at_least("seconds with close()", time.monotonic() - start, 0.5)
    check("left", disk.count("buffered"), 0)


@group("timing")
def the_first_use_stalls(mount):
    disk = mount("stall=500ms")
    with opened(f"{disk.path}/file") as fd:

        def write():
            return seconds_of(lambda: os.pwrite(fd, b"x", 0))

        def quickest():
            return min(write() for _ in range(50))

        check_at_least("the first write", write(), 0.5)
        check("one of the others is quicker", quickest() < 0.5, True)
        disk.ask("cold")
        check_at_least("the first of a cold disk", write(), 0.5)
        check("one of the others is quicker", quickest() < 0.5, True)
        disk.ask("stall_idle=200ms")
        time.sleep(0.3)
        check_at_least("the first after a pause", write(), 0.5)
        disk.ask("stall_names=large*", "cold")
        with opened(f"{disk.path}/large1") as large:
            quickest()
            check_at_least("the first to that file", seconds_of(lambda: os.write(large, b"x")), 0.5)
        disk.ask("stall_kind=fsync", "stall_names=", "cold")
        check_at_least("the first fsync", seconds_of(lambda: os.fsync(fd)), 0.5)


# What the kernel remembers, and what the disk can't do.


@group("cache")
def attributes_and_names_are_remembered_so_long(mount):
    disk = mount(forget)
    path = disk.file("file", b"x")

    def asked(knobs):
        disk.ask(*knobs.split(","))
        os.stat(path)
        os.stat(path)
        disk.ask("zero")
        for _ in range(5):
            os.stat(path)
        return disk.count("lookup"), disk.count("getattr")

    check_at_least("lookups where nothing is remembered", asked(forget)[0], 5)
    check("where all is remembered", asked("attr_timeout=60s,entry_timeout=60s"), (0, 0))
    disk = mount("attr_timeout=200ms,entry_timeout=60s")
    path = disk.file("other", b"x")
    with opened(path) as fd:
        os.fstat(fd)
        time.sleep(0.3)
        disk.ask("zero")
        os.fstat(fd)
        check("after the time", (disk.count("lookup"), disk.count("getattr")), (0, 1))


@group("cache")
def the_page_cache_is_kept_or_not(mount):
    disk = mount()
    for knobs, reads in (("keep_cache=off", 2), ("keep_cache=on", 1)):
        path = disk.file(f"file-{reads}", bytes(MIB))
        disk.ask(knobs, "zero")
        for _ in range(2):
            open(path, "rb").read()
        check(f"bytes read with {knobs}", disk.count("bytes_read"), reads * MIB)
    disk.ask("direct_io=on", "zero")
    with opened(disk.file("direct", bytes(4096)), os.O_RDONLY) as fd:
        for _ in range(3):
            os.pread(fd, 4096, 0)
    check("bytes read past the page cache", disk.count("bytes_read"), 3 * 4096)


@group("cache")
def what_a_disk_cannot_do(mount):
    disk = mount("odirect=off,xattr=off,fallocate=off,statfs=off")
    path = disk.file("file", b"x")
    check("O_DIRECT", errno_of(lambda: os.open(path, os.O_RDONLY | os.O_DIRECT)), errno.EINVAL)
    check("O_DIRECT of a new file", errno_of(lambda: os.open(f"{path}2", os.O_CREAT | os.O_RDWR | os.O_DIRECT)), errno.EINVAL)
    for name, call in {**{k: calls_of(disk)[k] for k in ("setxattr", "listxattr", "fallocate")},
                       **{k: lambda call=call: call(disk.path) for k, call in raw_calls.items()}}.items():
        check(name, errno_of(call), errno.EOPNOTSUPP)
    statistics = os.statvfs(disk.path)
    check("statfs", (statistics.f_blocks, statistics.f_bavail, statistics.f_files, statistics.f_ffree), (0, 0, 0, 0))
    disk.ask("odirect=on", "xattr=on", "fallocate=on", "statfs=on")
    with opened(path, os.O_RDONLY | os.O_DIRECT):
        pass
    for name in ("setxattr", "listxattr", "fallocate"):
        check(f"{name} again", errno_of(calls_of(disk)[name]), 0)
    check_at_least("blocks", os.statvfs(disk.path).f_blocks, 1)


@group("cache")
def types_of_names_may_be_unknown(mount):
    class Entry(ctypes.Structure):
        _fields_ = [("ino", ctypes.c_uint64), ("off", ctypes.c_int64), ("reclen", ctypes.c_uint16),
                    ("type", ctypes.c_uint8), ("name", ctypes.c_char * 256)]

    libc.opendir.restype = ctypes.c_void_p
    libc.readdir.restype = ctypes.POINTER(Entry)
    libc.readdir.argtypes = libc.closedir.argtypes = [ctypes.c_void_p]
    disk = mount()
    disk.file("file")
    os.mkdir(f"{disk.below}/folder")

    def types():
        folder, seen = libc.opendir(disk.path.encode()), {}
        while entry := libc.readdir(folder):
            seen[entry.contents.name.decode()] = entry.contents.type
        libc.closedir(folder)
        return seen

    check("known", types(), {".": 4, "..": 4, "folder": 4, "file": 8})
    disk.ask("dirent_types=off")
    check("unknown", set(types().values()), {0})


# Single calls that go wrong.


@group("errors")
def each_kind_can_fail(mount):
    disk = mount(f"{forget},direct_io=on")  # what fails while it is read ahead is asked again
    for kind in calls_of(disk):
        call = calls_of(disk)[kind]
        if kind in raw_calls:
            os.setxattr(f"{disk.below}/old", "trusted.x", b"1")
            call = lambda kind=kind: raw_calls[kind](disk.path)
        disk.ask("clear", f"fail={kind}:EIO")
        check(f"{kind} that fails", errno_of(call), errno.EIO)
        check(f"hits of {kind}", disk.hits(f"fail={kind}:EIO"), 1)
        call = (lambda kind=kind: raw_calls[kind](disk.path)) if kind in raw_calls else calls_of(disk)[kind]
        check(f"{kind} after that", errno_of(call), 0)


@group("errors")
def errors_have_their_names(mount):
    disk = mount()
    with opened(f"{disk.path}/file") as fd:
        for name in ("EIO", "ENOSPC", "EDQUOT", "EROFS", "ESTALE", "ENOTCONN", "EINTR", "EAGAIN"):
            disk.ask("clear", f"fail=write:{name}")
            check(name, errno_of(lambda: libc_call(libc.write, fd, b"x", 1)), getattr(errno, name))
    disk.ask("clear", "fail=rename:EXDEV:1+")
    for _ in range(3):
        check("EXDEV", errno_of(lambda: os.rename(f"{disk.path}/file", f"{disk.path}/new")), errno.EXDEV)
    for kind, call in (("fsync", os.fsync), ("flush", os.close)):
        for name in ("EIO", "ENOSPC"):
            disk.ask("clear", f"fail={kind}:{name}")
            fd = os.open(f"{disk.path}/late", os.O_CREAT | os.O_WRONLY)
            os.write(fd, b"x")
            check(f"a late {name} at {kind}", errno_of(lambda: call(fd)), getattr(errno, name))
            errno_of(lambda: os.close(fd))


@group("errors")
def the_nth_call_fails_once_or_from_then_on(mount):
    disk = mount()
    with opened(f"{disk.path}/file") as fd:

        def writes():
            return [errno_of(lambda: os.pwrite(fd, b"x", 0)) for _ in range(5)]

        writes()
        disk.ask("fail=write:EIO:3")
        check("the third", writes(), [0, 0, errno.EIO, 0, 0])
        check("no other", writes(), [0] * 5)
        disk.ask("clear", "fail=write:ENOSPC:4+")
        check("from the fourth on", writes(), [0, 0, 0, errno.ENOSPC, errno.ENOSPC])
        check("and later", writes(), [errno.ENOSPC] * 5)
        check("seen and hit", "fail=write:ENOSPC:4+ seen 10 hit 7" in disk.ask("show"), True)
        disk.ask("clear")
        check("after that", writes(), [0] * 5)


@group("errors")
def only_some_names_fail(mount):
    disk = mount()
    disk.ask("fail=unlink:EIO:2:log*", "fail=write:EIO:1+:large")
    for name in ("log1", "data1", "log2", "data2", "log3", "large"):
        disk.file(name)
    removed = {name: errno_of(lambda: os.unlink(f"{disk.path}/{name}")) for name in ("data1", "log1", "data2", "log2", "log3")}
    check("removed", removed, {"data1": 0, "log1": 0, "data2": 0, "log2": errno.EIO, "log3": 0})
    with opened(f"{disk.path}/large") as large, opened(f"{disk.path}/small") as small:
        check("large", errno_of(lambda: os.write(large, b"x")), errno.EIO)
        check("small", errno_of(lambda: os.write(small, b"x")), 0)


@group("hang")
def a_call_hangs_for_a_time(mount):
    disk = mount("hang=fsync:300ms:2")
    with opened(f"{disk.path}/file") as fd:
        os.fsync(fd)
        check_at_least("the second", seconds_of(lambda: os.fsync(fd)), 0.3)
        os.fsync(fd)
    check("hits", disk.hits("hang=fsync:300ms:2"), 1)


@group("hang")
def a_call_hangs_until_released(mount):
    disk, results = mount(), []

    def write():
        with opened(f"{disk.path}/hangs") as fd:
            results.append(os.write(fd, b"12345"))

    for word in ("release", "clear"):
        disk.ask("hang=write:forever:1:hangs")
        thread = threading.Thread(target=write)
        thread.start()
        wait_for(lambda: disk.count("hung") == 1)
        open(f"{disk.path}/other", "w").write("goes on")
        check("while it hangs", (results, disk.count("hung")), ([], 1))
        disk.ask(word)
        thread.join()
        check(f"after {word}", (results, disk.count("hung")), ([5], 0))
        disk.ask("clear")
        results.clear()


@group("hang")
def a_signal_lets_go_and_unmounts(mount):
    disk, results = mount("hang=write:forever"), []
    fd = os.open(f"{disk.path}/file", os.O_CREAT | os.O_WRONLY)
    thread = threading.Thread(target=lambda: results.append(os.write(fd, b"x")))
    thread.start()
    wait_for(lambda: disk.count("hung") == 1)
    os.kill(disk.pid, signal.SIGTERM)
    thread.join()
    check("written", results, [1])
    check("mounted", os.path.ismount(disk.path), False)
    os.close(fd)
    wait_for(disk.ended)


@group("hang")
def a_killed_server_is_a_lost_disk(mount):
    disk = mount("hang=fsync:forever")
    fd, results = os.open(f"{disk.path}/file", os.O_CREAT | os.O_WRONLY), []
    thread = threading.Thread(target=lambda: results.append(errno_of(lambda: os.fsync(fd))))
    thread.start()
    wait_for(lambda: disk.count("hung") == 1)
    os.kill(disk.pid, signal.SIGKILL)
    thread.join()
    check("the call that hung", results, [errno.ECONNABORTED])
    check("another", errno_of(lambda: os.stat(disk.path)), errno.ENOTCONN)
    errno_of(lambda: os.close(fd))


@group("moves")
def writes_may_be_short(mount):
    disk = mount("short=write:1000:2")
    with opened(f"{disk.path}/file") as fd:
        check("written", [os.write(fd, b"x" * 4096) for _ in range(3)], [4096, 1000, 4096])
    check("size", os.stat(f"{disk.below}/file").st_size, 4096 + 1000 + 4096)


@group("moves")
def reads_may_be_short(mount):
    disk = mount("short=read:1000:2,direct_io=on")
    with opened(disk.file("file", b"y" * 10000), os.O_RDONLY) as fd:
        check("read", [len(os.read(fd, 4096)) for _ in range(3)], [4096, 1000, 4096])


@group("moves")
def bytes_may_be_wrong(mount):
    disk = mount("direct_io=on")
    data = random.Random(3).randbytes(64 * KIB)
    path = disk.file("file", data)

    def wrong(fd, offset, length):
        seen = os.pread(fd, length, offset)
        return [offset + i for i in range(length) if seen[i] != data[offset + i]]

    with opened(path, os.O_RDONLY) as fd, opened(disk.file("other", data), os.O_RDONLY) as other:
        disk.ask("flip=read:100:2")
        check("of the second read", [wrong(fd, 4096, 4096) for _ in range(3)], [[], [4196], []])
        disk.ask("clear", "flip=read:7:1+:file")
        check("of each read of the file", [wrong(fd, at, 4096) for at in (0, 8192)], [[7], [8199]])
        check("of another", wrong(other, 0, 4096), [])
        disk.ask("clear", "flip_at=read:9000:1+:file")
        check("there and nowhere else", [wrong(fd, at, 4096) for at in (0, 4096, 8192, 12288)], [[], [], [9000], []])
        check("of another", wrong(other, 8192, 4096), [])
        disk.ask("clear", "flip_at=read:9000:2")
        check("at the second look", [wrong(fd, at, 4096) for at in (8192, 0, 8192, 8192)], [[], [], [9000], []])
        disk.ask("clear")
        check("after that", wrong(fd, 0, 64 * KIB), [])
    check("behind", open(f"{disk.below}/file", "rb").read() == data, True)


# Being told.


@group("control")
def words_that_are_not_understood(mount):
    disk = mount()
    before = disk.ask("show")
    for words, message in (
        ("nonsense", "neither a command nor NAME=VALUE"),
        ("nonsense=1", "no knob"),
        ("latency=5", "not a time"),
        ("latency=5m", "not a time"),
        ("latency=99999999999s", "not a time"),
        ("latency.nonsense=5ms", "no kind of call"),
        ("buffer=5M", "in two ways"),
        ("drain=fast", "not a size"),
        ("serial=yes", "neither on nor off"),
        ("fsync=maybe", "neither file, all, noop nor enosys"),
        ("sync_reads=on", "only when the disk is mounted"),
        ("fail=write:EWRONG", "no error"),
        ("fail=nonsense:EIO", "no kind of call"),
        ("fail=write:EIO:0", "the call"),
        ("fail=write:EIO:x+", "the call"),
        ("fail=write:EIO:1:", "no pattern of names"),
        ("fail=write", "no error"),
        ("hang=write:never", "not a time"),
        ("short=fsync:10", "can't happen to fsync"),
        ("flip=write:10", "can't happen to write"),
        ("x" * 5000, "neither a command"),
        ("fail=write:EIO:1:" + "x" * 300, "too long"),
        ("fail=" + "x" * 300, "too long"),
    ):
        answer = subprocess.run([disk.program, "--ask", disk.control, words], capture_output=True, text=True)
        said = answer.stderr if message in answer.stderr else answer.stderr[:200]
        check(f"{words[:40]}: status", answer.returncode, 1)
        check(f"{words[:40]}: {said!r} has {message!r}", message in said, True)
    check("nothing was set", disk.ask("show"), before)
    check("lines before it are done", subprocess.run(
        [disk.program, "--ask", disk.control, "serial=on", "nonsense", "keep_cache=on"], capture_output=True).returncode, 1)
    check("and those after it not", [word in disk.ask("show") for word in ("serial=on", "keep_cache=on")], [True, False])
    for _ in range(64):
        disk.ask("fail=write:EIO:9")
    check("too many faults", errno_of_answer(disk, "fail=write:EIO:9"), 1)


def errno_of_answer(disk, words):
    return subprocess.run([disk.program, "--ask", disk.control, words], capture_output=True).returncode


@group("control")
def what_is_set_is_shown(mount):
    disk = mount("latency.read=1500us,buffer=300MiB,drain=100MiB/s,fsync=noop,stall_kind=sync,fail=rename:EXDEV:1+")
    shown = disk.ask("show").splitlines()
    for line in ("latency.read=1500us", "buffer=314572800", "drain=104857600", "fsync=noop",
                 "stall_kind=flush+fsync+fsyncdir", "fail=rename:EXDEV:1+ seen 0 hit 0"):
        check(line, line in shown, True)


@group("control")
def clients_that_misbehave(mount):
    disk = mount()
    for _ in range(3):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(disk.control)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(disk.control)
        errno_of(lambda: client.sendall(b"x" * 100000))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(disk.control)
        client.sendall(b"serial=on\n\nshow\n")
        client.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: client.recv(4096), b""))
        check("the last line", answer.splitlines()[-1], b"ok")
    check("it is still there", int(disk.ask("pid")), disk.pid)


@group("control")
def command_lines_that_are_refused(mount):
    disk = mount()

    def status(*arguments):
        return subprocess.run([disk.program, *arguments], capture_output=True).returncode

    mounts = open("/proc/self/mountinfo").read()
    check("nothing", status(), 2)
    check("no such option", status("--nonsense"), 2)
    check("no such folder", status(disk.below, f"{disk.path}/none"), 2)
    check("no such folder behind", status(f"{disk.path}/none", disk.below), 2)
    check("a file", status(disk.file("file"), disk.below), 2)
    check("no such knob", status("-o", "nonsense=1", disk.below, disk.below), 2)
    check("a control that is there", status("--control", disk.control, disk.below, disk.below), 1)
    check("a control with a long name", status("--control", "/tmp/" + "x" * 200, disk.below, disk.below), 1)
    check("a file to mount at", status(disk.below, disk.file("file")), 2)
    check("nobody to ask", status("--ask", f"{disk.control}.none", "pid"), 1)
    check("help", status("--help"), 0)
    check("mounted by that", open("/proc/self/mountinfo").read(), mounts)


@group("control")
def it_may_stay_in_the_foreground(mount):
    disk = mount()
    path = f"{disk.below}/mountpoint"
    os.mkdir(path)
    server = subprocess.Popen([disk.program, "-f", disk.file("b") and disk.below, path])
    wait_for(lambda: os.path.ismount(path))
    subprocess.run(["umount", path], check=True)
    check("status", server.wait(), 0)


def main():
    name, top, program = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    failures = 0
    for test in groups[name]:
        disks = []

        def mount(knobs=""):
            disks.append(Disk(top, program, knobs))
            return disks[-1]

        print(test.__name__.replace("_", " "), flush=True)
        try:
            test(mount)
        except (Failed, OSError, subprocess.CalledProcessError) as failure:
            print(f"FAILED: {test.__name__}: {failure}", flush=True)
            failures += 1
        finally:
            for disk in reversed(disks):
                disk.end()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
