#!/bin/bash
# A disk whose behaviour is known: what it does wrong is found by the rule for it, with the figures that it was
# given; and what it does right is not held against it.
# Usage: planted.sh KIND (lying, unknown, honest, stall, requests, window)
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"

# Measures a disk with these knobs beside a tmpfs. What follows is Python that looks at the findings.
try() { # KNOBS RUN-OPTION...
    disk faultfs "$top/a" "$1"
    disk tmpfs "$top/b"
    shift
    "$DISKDUEL" run -o "$top/run.json" "$@" "$top/a" "$top/b" >"$top/table" 2>"$top/log" </dev/null || {
        status=$?
        cat "$top/table" "$top/log" >&2
        fault "the run ended with $status"
    }
    cat - >"$top/expected.py"
    python3 - "$top" <<'PYTHON'
import json, sys

top = sys.argv[1]
run = json.load(open(f"{top}/run.json"))
disk = run["tiers"][0]["name"]
faults = []


def found(rule, metric):
    """What the rule says of a metric of the disk; None where it doesn't speak."""
    for finding in run["findings"]:
        if (finding["rule"], finding.get("metric"), finding.get("tier")) == (rule, metric, disk):
            return finding
    return None


def expect(rule, metric, verdict, **figures):
    """It speaks, with this verdict, and its figures lie within a fifth of these."""
    finding = found(rule, metric)
    if not finding:
        faults.append(f"{rule} says nothing of {metric}")
        return
    print(f"{metric}: {rule}: {finding['verdict']}: {finding['message']}")
    if finding["verdict"] != verdict:
        faults.append(f"{rule} of {metric}: {finding['verdict']}, not {verdict}")
    for name, expected in figures.items():
        seen = finding["evidence"].get(name)
        if seen is None or abs(seen - expected) > 0.2 * expected:
            faults.append(f"{rule} of {metric}: {name} is {seen}, not about {expected}")


def expect_nothing(rule, metric):
    finding = found(rule, metric)
    if finding:
        faults.append(f"{rule} of {metric}: {finding['message']}")


MIB = 1 << 20
exec(open(f"{top}/expected.py").read())
if faults:
    sys.exit("FAILED: " + "\nFAILED: ".join(faults))
PYTHON
}

buffer=buffer=24MiB,drain=40MiB/s,drop_removed=on

unsaved() { # KNOB: fsync returns at once, and 24 MiB are still on their way
    try "$buffer,$1" --workloads seq-write --sizes 8MiB,32MiB,64MiB --rounds 5 <<'PYTHON'
rate, unsaved_s = 40 * MIB, 24 / 40
for size in (32, 64):
    expect("fsync-does-not-wait", f"seq-write-{size}", "discard", rate=rate, wait=unsaved_s * 1e9)
    if found("fsync-does-not-wait", f"seq-write-{size}")["evidence"]["fsync"] > 0.1e9:
        faults.append("fsync did wait")
    expect("knee", f"seq-write-{size}", "info", after=rate, place=24 * MIB)
expect("size-sweep-select", "seq-write-32", "discard", largest=64 * MIB, reported=rate)
# 64 MiB in the second that 40 of them take: 1.6 times the rate behind the buffer, about where a caveat becomes a discard.
outrun = found("buffer-not-outrun", "seq-write-64")
expect("buffer-not-outrun", "seq-write-64", outrun and outrun["verdict"], marginal=rate, average=64 * MIB)
if outrun and outrun["verdict"] not in ("caveat", "discard"):
    faults.append(f"buffer-not-outrun: {outrun['verdict']}")
PYTHON
}

case_lying() {
    unsaved fsync=noop
}

case_unknown() { # to the server; the kernel tells programs that it is done
    unsaved fsync=enosys
}

case_honest() { # the same buffer, and an fsync that waits until it is empty
    try "$buffer,fsync=file" --workloads seq-write --sizes 8MiB,32MiB,64MiB --rounds 5 <<'PYTHON'
rate = 40 * MIB
for size in (8, 32, 64):
    expect_nothing("fsync-does-not-wait", f"seq-write-{size}")
    expect_nothing("first-round-differs", f"seq-write-{size}")
    expect_nothing("buffer-not-outrun", f"seq-write-{size}")
for size in (8, 32):
    expect_nothing("size-sweep-select", f"seq-write-{size}")
expect("size-sweep-select", "seq-write-64", "info", reported=rate, marginal=rate)
PYTHON
}

case_stall() { # two seconds more for a first write to a large file, also after a pause
    try 'stall=2s,stall_names=s0*,stall_idle=15s' --workloads seq-write --sizes 16MiB --rounds 5 --no-warmup <<'PYTHON'
expect("first-round-differs", "seq-write-16", "discard", first=16 * MIB / 2 / 1e6)
again = [s["wall_ns"] for s in run["samples"] if s["tier"] == disk and s.get("block") == 2 and s["round"] == 1]
if not again or again[0] < 2e9:
    faults.append(f"the second block began with {again}")
PYTHON
}

case_requests() { # 8 ms a request, one at a time: 128 KiB each where they are read ahead
    try 'latency.read=8ms,sync_reads=on' --workloads seq-read --rounds 2 --no-warmup <<'PYTHON'
small, large = 128 * 1024 / 0.008, MIB / 0.008
expect("request-size-explains", "seq-read-reopened", "caveat", buffered=small, probe=small, direct=large)
expect("request-size-explains", "seq-read-direct-1m", "caveat", buffered=small, probe=small, direct=large)
for metric in ("seq-read-reopened", "seq-read-direct-1m"):
    expect_nothing("direct-beats-cached", metric)
PYTHON
}

case_window() { # a millisecond for a name that isn't remembered, and names are remembered for a second
    try 'latency.lookup=1ms,entry_timeout=1s,attr_timeout=1s' --workloads create,walk,delete --files 150 --rounds 5 <<'PYTHON'
expect("walk-cache-window", "walk", "caveat", later=0.150e9, wait=1.5e9)
PYTHON
}

declare -F "case_$1" >/dev/null || fault "no such kind of disk: $1"
"case_$1"
echo "$1: as planted"
