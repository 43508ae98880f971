#!/bin/bash
# A disk that fails while it is measured: the error is named in the table and in the document, the other disk is
# measured to the end, the exit status is 3, nothing is left where it can be removed, and nothing hangs.
# Usage: faults.sh KIND (thin, quota, inodes, readonly, lost, hung, memory, unknown)
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"
set -m # each child has a process group of its own: a kill reaches all of the program, and nothing else

a=$top/a
b=$top/b
disk tmpfs "$b"
furnish "$b"
before_b=$(snapshot "$b")

start() { # OPTIONS: in the background
    "$DISKDUEL" run -o "$top/run.json" "$@" "$a" "$b" >"$top/table" 2>"$top/log" </dev/null &
    child=$!
}

finish() { # STATUS
    status=0
    wait "$child" || status=$?
    child=
    tr -s ' \n' ' ' <"$top/table" >"$top/words"
    [ "$status" = "$1" ] && return
    cat "$top/table" "$top/log" >&2
    fault "the run ended with $status, not $1"
}

says() { # FILE WORDS
    grep -qF -- "$2" "$1" && return
    cat "$top/table" "$top/log" >&2
    fault "no word of \"$2\""
}

# What failed on A, with which error; everything is done on B.
document() { # WORKLOAD ERROR
    python3 - "$top/run.json" "$@" <<'PYTHON'
import json, sys

run = json.load(open(sys.argv[1]))
workload, error = sys.argv[2:]
a, b = (tier["name"] for tier in run["tiers"])
failed = {s["workload"]: s["error"].get("name") for s in run["samples"] if s["tier"] == a and s["status"] == "failed"}
if failed.get(workload) != error:
    sys.exit(f"FAILED: on A: {failed}, and not {workload}: {error}")
done = {(s["workload"], s["round"]) for s in run["samples"] if s["tier"] == b and s["status"] == "ok"}
rounds = range(run["plan"]["rounds"] + 1)
planned = {(w["id"], r) for w in run["plan"]["workloads"] if not w.get("follow_up") for r in rounds}
if done != planned:
    sys.exit(f"FAILED: not done on B: {sorted(planned - done)}")
twice = [s for s in run["samples"] if s["tier"] == a and s["status"] == "failed"]
if len(twice) != len(failed):
    sys.exit("FAILED: what failed was tried again")
PYTHON
    "$DISKDUEL" show "$top/run.json" >"$top/again"
    cmp -s "$top/table" "$top/again" || fault "the saved table is another one"
}

nothing_left() {
    [ -z "$(find "$a" -maxdepth 1 -name '.diskduel-*')" ] || fault "something is left in $a"
    unchanged "$b" "$before_b" "$1"
}

case_thin() { # writes are taken, and only fsync tells that there is no room
    mkdir "$top/pool" "$a"
    mount -t tmpfs -o size=20m tmpfs "$top/pool"
    truncate -s 200M "$top/pool/image"
    mkfs.ext4 -qF -E lazy_itable_init=1,nodiscard "$top/pool/image"
    mount -o loop "$top/pool/image" "$a"
    start --workloads seq-write --sizes 60MiB --rounds 2 --no-warmup
    finish 3
    says "$top/words" "seq-write-60 on A: fsync of s000-00 failed in round 1 of 2: "
    python3 - "$top/run.json" <<'PYTHON'
import json, sys

run = json.load(open(sys.argv[1]))
error = next(s["error"] for s in run["samples"] if s["status"] == "failed")
if error["call"] not in ("fsync", "write", "close") or error["name"] not in ("ENOSPC", "EIO", "EROFS"):
    sys.exit(f"FAILED: {error}")
PYTHON
    unchanged "$b" "$before_b" "after a late error"
}

case_quota() {
    command -v btrfs >/dev/null || skip "btrfs is not installed"
    disk btrfs "$top/pool"
    a=$top/pool/sub
    btrfs -q subvolume create "$a"
    btrfs quota enable "$top/pool"
    btrfs qgroup limit 10M "$a"
    start --files 50 --sizes 64MiB --rounds 1
    finish 3
    says "$top/words" "failed in round 1 of 1: Disk quota exceeded"
    says "$top/run.json" "write of s000-00 failed in round 0 (first use): Disk quota exceeded"
    document seq-write-64 EDQUOT
    nothing_left "after a quota"
}

case_inodes() { # there is room in bytes
    mkdir "$a"
    truncate -s 64M "$top/image"
    mkfs.ext4 -qF -N 64 "$top/image"
    mount -o loop "$top/image" "$a"
    start --files 100 --sizes 1MiB --rounds 1
    finish 2
    says "$top/log" "needs room for 200 files, has it for"
    # Somebody else takes them while it runs.
    start --files 20 --workloads create,delete --rounds 500
    while [ -z "$(find "$a" -name 'f0*' -print -quit)" ]; do
        kill -0 "$child" || fault "the run ended by itself"
        sleep 0.02
    done
    mkdir "$a/mine"
    for i in $(seq 1 1000); do # until it has met a full disk
        : 2>/dev/null >"$a/mine/$i" || true
        ! grep -q 'out of inodes' "$top/run.json" 2>/dev/null || break
        sleep 0.01
    done
    kill -TERM "$child"
    finish 143
    says "$top/run.json" "out of inodes"
    [ -z "$(find "$a" -maxdepth 1 -name '.diskduel-*')" ] || fault "something is left in $a"
}

case_readonly() { # an error turns the disk read-only while it is measured
    mkdir "$a"
    truncate -s 256M "$top/image"
    mkfs.ext4 -qF "$top/image"
    mount -o loop,errors=remount-ro "$top/image" "$a"
    trigger=$(findmnt -rno SOURCE "$a" | sed 's|^/dev/||')
    [ -e "/sys/fs/ext4/$trigger/trigger_fs_error" ] || skip "ext4 can't be made to fail here"
    start --files 100 --sizes 1MiB --rounds 20
    while ! grep -qs '"round": 0' "$top/run.json"; do
        kill -0 "$child" || fault "the run ended by itself"
        sleep 0.02
    done
    echo 1 >"/sys/fs/ext4/$trigger/trigger_fs_error"
    finish 3
    says "$top/words" "Read-only file system"
    says "$top/log" "could not be removed"
    document seq-write-1 EROFS
    [ "$(wc -l <"$top/log")" -lt 400 ] || fault "the log has $(wc -l <"$top/log") lines"
    unchanged "$b" "$before_b" "after the other disk turned read-only"
}

serve() { # in the foreground of a child of ours, so that it can be killed
    command -v bindfs >/dev/null || skip "bindfs is not installed"
    [ -c /dev/fuse ] || skip "there is no /dev/fuse"
    mkdir "$a" "$top/below"
    bindfs -f "$top/below" "$a" &
    server=$!
    tries=0
    until findmnt -rn "$a" >/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || skip "FUSE disks can't be mounted here"
        sleep 0.05
    done
}

case_lost() { # the server of a FUSE disk dies
    serve
    start --files 300 --sizes 1MiB --rounds 5
    while [ -z "$(find "$top/below" -name 'f0*' -print -quit)" ]; do
        sleep 0.02
    done
    kill -KILL "$server"
    finish 3
    says "$top/run.json" "failed in round 0 (first use): Transport endpoint is not connected"
    says "$top/log" "could not be removed"
    document seq-write-1 ENOTCONN
    [ "$(wc -l <"$top/log")" -lt 100 ] || fault "the log has $(wc -l <"$top/log") lines"
    unchanged "$b" "$before_b" "after the other disk was lost"
    umount "$a"
    "$DISKDUEL" clean "$top/below" >"$top/cleaned" || fault "clean ended with $?"
    [ -z "$(ls -A "$top/below")" ] || fault "clean left something"
}

case_hung() { # the server of a FUSE disk stops to answer: two signals end the program all the same
    serve
    start --files 300 --sizes 1MiB --rounds 500
    while ! grep -qs '"round": 0' "$top/run.json"; do
        sleep 0.02
    done
    kill -STOP "$server"
    sleep 0.5
    kill -INT "$child"
    sleep 1
    kill -0 "$child" || fault "the first signal ended a run whose call hangs"
    kill -INT "$child"
    sleep 2
    kill -0 "$child" 2>/dev/null && fault "two signals did not end it"
    finish 130
    says "$top/log" "stopping after the operations in flight"
    says "$top/log" "it goes with: diskduel clean"
    kill -CONT "$server"
    "$DISKDUEL" show "$top/run.json" >/dev/null || fault "the document can't be read"
    "$DISKDUEL" clean "$a" "$b" >"$top/cleaned" || fault "clean ended with $?"
    nothing_left "after a disk that hung, and clean"
    umount "$a"
}

case_memory() { # a control group with 64 MiB, as a container has it
    ! grep -qa __asan_init "$DISKDUEL" || skip "a sanitizer takes more memory than that by itself"
    group=/sys/fs/cgroup/memory
    [ -e $group/memory.limit_in_bytes ] || skip "there are no memory control groups (v1) here"
    group=$group/diskduel-test-$$
    mkdir $group || skip "a memory control group can't be made here"
    disk ext4 "$a"
    echo $((64 << 20)) >$group/memory.limit_in_bytes
    in_group() { # a shell in the group becomes the program
        sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh $group "$DISKDUEL" run -o "$top/run.json" \
            --rounds 1 --files 2000 "$@" "$a" null: >"$top/table" 2>"$top/log" </dev/null
    }
    status=0
    in_group --threads 16 --sizes 128MiB || status=$?
    [ $status = 0 ] || {
        cat "$top/log" >&2
        rmdir $group
        fault "16 threads in 64 MiB: status $status"
    }
    status=0
    in_group --threads 64 --sizes 64MiB --block 64MiB || status=$?
    sleep 0.1
    rmdir $group
    [ $status = 2 ] || fault "64 threads with large blocks in 64 MiB: status $status"
    says "$top/log" "choose fewer --threads or a smaller --block"
    [ -z "$(find "$a" -maxdepth 1 -name '.diskduel-*')" ] || fault "something is left in $a"
}

case_unknown() { # a file system that counts neither blocks nor files: not checked, and said
    mkdir "$a"
    mount -t ramfs ramfs "$a"
    start --files 50 --sizes 1MiB --rounds 1
    finish 0
    says "$top/log" "doesn't say how many files it has room for: not checked"
    nothing_left "after a run on ramfs"
}

declare -F "case_$1" >/dev/null || fault "no such kind of fault: $1"
"case_$1"
echo "$1: as it should be"
