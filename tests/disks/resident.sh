#!/bin/bash
# Cold is cold: before it is read, fincore sees less than 1 % of each file in the page cache, and the document
# says the same. What was just written is resident, and what was read is again: so that it can be seen in
# between, strace lets each pread wait a while before it begins.
# Usage: resident.sh KIND
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"
for tool in strace fincore; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done

disk "$1" "$top/a"

run_slowly() { # WORKLOAD FILES FILE-NAME DELAY-IN-MICROSECONDS
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -qq -o /dev/null -e trace=pread64 \
        -e inject=pread64:delay_enter="$4" \
        "$DISKDUEL" run --workloads "$1" --files "$2" --file-size 8KiB --rounds 1 --no-warmup \
        -o "$top/$1.json" "$top/a" null: >"$top/table" 2>"$top/log" &
    program=$!
    python3 - "$top/a" "$2" "$3" "$program" <<'PYTHON' || fault "$1: nothing cold was seen"
import glob, os, subprocess, sys

folder, count, name, program = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
least, looks = None, 0


def runs():
    try:
        return open(f"/proc/{program}/stat").read().split()[2] != "Z"
    except OSError:  # it has ended between two calls
        return False


while runs():
    files = glob.glob(f"{folder}/.diskduel-*/{name}")
    if len(files) != count:
        continue
    seen = subprocess.run(["fincore", "--bytes", "--noheadings", "--raw", "--output", "RES,SIZE", *files],
                          capture_output=True, text=True)
    sizes = [tuple(map(int, line.split())) for line in seen.stdout.split("\n") if line]
    if seen.returncode or len(sizes) != count or any(size == 0 for _, size in sizes):
        continue
    share = sum(resident for resident, _ in sizes) / sum(size for _, size in sizes)
    looks += 1
    least = share if least is None else min(least, share)
print(f"fincore, {looks} looks: at the least {least} of {count} files was resident")
sys.exit(0 if least is not None and least < 0.01 else 1)
PYTHON
    wait "$program" || { cat "$top/log" >&2; fault "the run of $1 failed"; }
    python3 - "$top/$1.json" "$1" <<'PYTHON'
import json, sys

run = json.load(open(sys.argv[1]))
tier = run["tiers"][0]["name"]
sample = [s for s in run["samples"] if (s["tier"], s["workload"]) == (tier, sys.argv[2])][0]
cache = sample["cache"]
print(f"{sys.argv[2]}: the document: {cache['resident_before']} before, {cache['resident_after']} after")
if cache["resident_before"] >= 0.01 or cache["resident_after"] < 0.5:
    sys.exit("FAILED: that is not a cold read of a disk that caches")
PYTHON
}

run_slowly read-tree 20 't000/f*' 100000
run_slowly seq-read-cold 1 'l00' 100000
