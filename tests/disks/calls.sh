#!/bin/bash
# The system calls inside the timed part of each workload are those that its definition names, and no others:
# all calls of each worker are traced, cut where it waits for its next job, and in each section one piece must
# be the definition, call by call.
# Usage: calls.sh KIND
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"
command -v strace >/dev/null || skip "strace is not installed"

disk "$1" "$top/a"
trace() { # NAME OPTION...
    name=$1
    shift
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -qq -y -s 0 -o "$top/$name.trace" \
        "$DISKDUEL" run --files 30 --sizes 4MiB --rounds 1 --no-warmup "$@" -o "$top/$name.json" "$top/a" null: \
        >"$top/table" 2>"$top/log" || {
        status=$?
        cat "$top/table" "$top/log" >&2
        fault "the run '$name' ended with $status"
    }
}
trace default --workloads create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,commit,seq-write
trace none --sync none --workloads create,rename,delete
trace fsync --sync fsync --workloads create,rename,delete

python3 - "$top" "$1" <<'PYTHON'
import json, re, sys

top, kind = sys.argv[1:]
files = 30
tokens = {"write": "w", "pread64": "r", "pwrite64": "W", "fsync": "f", "close": "x", "newfstatat": "s", "fstat": "S",
          "getdents64": "g", "renameat": "n", "renameat2": "n", "fadvise64": "a", "mmap": "m", "mincore": "i",
          "munmap": "M", "futex": "|"}


def token_of(call):
    name = call.split("(", 1)[0]
    if name == "openat":
        return "c" if "O_CREAT" in call else "D" if "O_DIRECTORY" in call else "d" if "O_DIRECT" in call else "o"
    if name == "unlinkat":
        return "U" if "AT_REMOVEDIR" in call else "u"
    return tokens.get(name, "?")


def definition_of(workload):
    """The timed calls of one thread, as a pattern. A read of a file ends with the one that gives nothing."""
    each = {"create": "cwfx" if workload["sync"] == "fsync" else "cwx", "read-tree": "orrx", "rename": "n", "delete": "u"}
    what = workload["kind"]
    if what in each:
        return f"({each[what]}){{{files}}}"
    if what in ("walk", "walk-later"):
        return f"Dgs{{{files}}}g+x"
    operations = workload.get("operations") or workload["bytes"] // workload["block_bytes"]
    reads = f"r{{{operations + 1}}}"
    if what == "seq-read":
        return {"same-fd": reads, "direct": f"d{reads}x"}.get(workload["access"], f"o{reads}x")
    return {"rand-read": f"r{{{operations}}}", "rand-write": f"W{{{operations}}}f", "commit": f"(wf){{{operations}}}",
            "seq-write": f"cw{{{operations}}}ffx"}[what]


for name in ("default", "none", "fsync"):
    # Each thread's calls, in the order in which they began.
    threads, ours = {}, set()
    for line in open(f"{top}/{name}.trace", errors="surrogateescape"):
        thread, call = line.split(None, 1)
        if call.startswith(("<...", "---", "+++")):
            continue
        threads.setdefault(thread, []).append(token_of(call))
        if re.search(r"/\.diskduel-[0-9a-f]{16}", call):
            ours.add(thread)
    pieces = {thread: [piece for piece in "".join(threads[thread]).split("|") if piece] for thread in ours}
    run = json.load(open(f"{top}/{name}.json"))
    tier = run["tiers"][0]["name"]
    plan = {workload["id"]: workload for workload in run["plan"]["workloads"]}
    samples = [sample for sample in run["samples"] if sample["tier"] == tier]
    # The worker is the thread in which most of this is found.
    best = None
    for thread, its in pieces.items():
        at, missing, found = 0, [], []
        for sample in samples:
            if sample["status"] == "skipped":
                continue
            pattern = re.compile(definition_of(plan[sample["workload"]]))
            place = next((i for i in range(at, len(its)) if pattern.fullmatch(its[i])), None)
            if place is None:
                missing.append(sample["workload"])
            else:
                found.append(sample["workload"])
                at = place + 1
        if best is None or len(missing) < len(best[0]):
            best = missing, found, its
    missing, found, its = best
    print(f"{name}: as defined, and nothing else: {', '.join(found)}")
    if missing:
        short = [re.sub(r"(.)\1{9,}", lambda m: f"{m.group(1)}{{{len(m.group(0))}}}", piece) for piece in its]
        sys.exit(f"FAILED: on {kind}, {name}: not as defined: {missing}\nthe worker's pieces: {short}")
    skipped = [sample["workload"] for sample in samples if sample["status"] == "skipped"]
    if skipped:
        print(f"{name}: {kind} can't do: {', '.join(skipped)}")
PYTHON
