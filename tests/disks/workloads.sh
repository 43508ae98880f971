#!/bin/bash
# Every workload on every kind of disk: a table of what ran and what the disk can't do, and why; and in each
# sample operations, bytes and what was read back add up.
# Usage: workloads.sh
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"

kinds="ext4 xfs btrfs overlay tmpfs bindfs faultfs gocryptfs"
disk tmpfs "$top/control"
for kind in $kinds; do
    disk "$kind" "$top/$kind"
    mkdir -p "$top/$kind/here"
    "$DISKDUEL" run --workloads create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,commit,seq-write \
        --files 60 --file-size 5000 --sizes 8MiB --rounds 1 -o "$top/$kind.json" \
        "$kind=$top/$kind/here" "control=$top/control" >"$top/table" 2>"$top/log" || {
        status=$?
        cat "$top/table" "$top/log" >&2
        fault "the run on $kind ended with $status"
    }
    [ -z "$(ls -A "$top/$kind/here")" ] || fault "something was left on $kind"
    unmount_below "$top/$kind"
    rm -f "$top/$kind.img"
done

# shellcheck disable=SC2086
python3 - "$top" $kinds <<'PYTHON'
import json, sys

top, kinds = sys.argv[1], sys.argv[2:]
files, file_bytes, mib = 60, 5000, 1 << 20
blocks_of_file = -(-file_bytes // 4096)
faults = []


def check(where, what, seen, expected):
    if seen != expected:
        faults.append(f"{where}: {what}: {seen}, not {expected}")


# What one batch does: operations, bytes moved, blocks of 4 KiB whose stamps are looked at while it is timed.
def expected_of(workload):
    kind = workload["kind"]
    if "files" in workload:
        moves = kind in ("create", "read-tree")
        return files, files * file_bytes if moves else 0, files * blocks_of_file if kind == "read-tree" else 0
    operations, block, size = workload.get("operations", 0), workload["block_bytes"], workload["bytes"]
    moved = operations * block if operations else size
    return operations or -(-size // block), moved, moved // 4096 if "read" in kind else 0


def check_sample(kind, sample, workload):
    where = f"{kind}: {sample['workload']} on {sample['tier']}, round {sample['round']}"
    if sample["status"] == "skipped":
        check(where, "reason", sample.get("reason"), "unsupported")
        check(where, "says why", bool(sample.get("detail")), True)
        return
    check(where, "status", sample["status"], "ok")
    ops, moved, looked_at = expected_of(workload)
    batches = sample["batches"]
    check(where, "operations", sample["ops"], ops * batches)
    check(where, "bytes", sample["bytes"], moved * batches)
    check(where, "latencies", sample["latency"]["op"]["count"], sample["ops"])
    check(where, "intervals' operations", sum(sample["series"]["ops"]), sample["ops"])
    check(where, "intervals' bytes", sum(sample["series"]["bytes"]), sample["bytes"])
    check(where, "mismatches", sample.get("verify", {}).get("mismatches", 0), 0)
    blocks = sample.get("verify", {}).get("blocks", 0)
    if looked_at:
        check(where, "all stamps were looked at", blocks >= looked_at * batches, True)
    if workload["kind"] == "create":
        check(where, "blocks read back", blocks, files * blocks_of_file * batches)
    if workload["kind"] == "commit":
        check(where, "blocks read back", blocks, ops * batches)
    if sample["round"] > 0 and workload["kind"] in ("seq-read", "read-tree") and "cold" in workload.get("access", ""):
        resident = sample.get("cache", {}).get("resident_before")
        check(where, "under 1 % resident before", resident is None or resident < 0.01, True)


cells, reasons = {}, {}
for kind in kinds:
    run = json.load(open(f"{top}/{kind}.json"))
    check(kind, "status", run["status"], "complete")
    plan = {workload["id"]: workload for workload in run["plan"]["workloads"]}
    for sample in run["samples"]:
        check_sample(kind, sample, plan[sample["workload"]])
        if sample["tier"] != kind:
            continue
        ran = sample["status"] == "ok"
        cells[sample["workload"], kind] = "ran" if ran else "no"
        if not ran:
            reasons.setdefault((kind, sample.get("detail")), []).append(sample["workload"])
    workloads = list(plan)

width = max(map(len, workloads))
print(f"{'':{width}}  " + "  ".join(f"{kind:9}" for kind in kinds))
for workload in workloads:
    print(f"{workload:{width}}  " + "  ".join(f"{cells.get((workload, kind), '-'):9}" for kind in kinds))
for (kind, why), which in reasons.items():
    print(f"{kind} can't do {', '.join(dict.fromkeys(which))}: {why}")

# What is known of these: a local disk does everything, and tmpfs neither forgets nor bypasses.
needs_direct = ["seq-read-direct-1m", "seq-read-direct-128k", "rand-read", "rand-write"]
for workload in workloads:
    if workload.endswith("-buffered"):
        continue
    for kind in ("ext4", "xfs", "btrfs", "overlay"):
        check(kind, workload, cells.get((workload, kind)), "ran")
    never = workload in needs_direct or workload == "seq-read-cold"
    check("tmpfs", workload, cells.get((workload, "tmpfs")), "no" if never else "ran")
for workload in ("rand-read-buffered", "rand-write-buffered"):
    check("tmpfs", workload, cells.get((workload, "tmpfs")), "ran")
if faults:
    sys.exit("FAILED: " + "\nFAILED: ".join(faults))
PYTHON
