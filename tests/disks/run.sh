#!/bin/bash
# A run on a real disk: complete, as planned, nothing of the user's touched, nothing left behind; and what the
# samples say is what strace and the disk's own counter saw.
# Usage: run.sh KIND (ext4, xfs, tmpfs, bindfs, faultfs)
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"
command -v strace >/dev/null || skip "strace is not installed"

disk "$1" "$top/a"
disk tmpfs "$top/b"
a="$top/a/it's a: disk, 100%"
b="$top/b/other"
mkdir "$a" "$b"
furnish "$a"
furnish "$b"
before_a=$(snapshot "$a")
before_b=$(snapshot "$b")

sectors_written() { # of the loop device under a, if there is one
    loop=$(findmnt -rno SOURCE "$top/a" | grep '^/dev/loop' || true)
    [ -z "$loop" ] || awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat"
}

plan="--no-follow-up --rounds 2 --files 50 --file-size 4KiB --sizes 8MiB --workloads create,walk,delete,seq-write"

# As it comes, with a first use and with batches; without a second look, which would do more than the plan says.
# shellcheck disable=SC2086
"$DISKDUEL" run $plan -o "$top/plain.json" "$a" "$b" >"$top/table" 2>"$top/log" || {
    status=$?
    cat "$top/log" >&2
    fault "the run ended with $status"
}
unchanged "$a" "$before_a" "after a run"
unchanged "$b" "$before_b" "after a run"

# Without a first use each section is one batch: then calls can be counted.
# (A sanitizer can't look for leaks in a traced program.)
sync -f "$top/a"
sectors=$(sectors_written)
# shellcheck disable=SC2086
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -y -s 0 -o "$top/trace" -e trace=openat,unlinkat,write,pwrite64,fsync,syncfs,sync \
    "$DISKDUEL" run $plan --no-warmup -o "$top/traced.json" "$a" "$b" >"$top/table" 2>"$top/log" || {
    status=$?
    cat "$top/log" >&2
    fault "the traced run ended with $status"
}
[ -z "$sectors" ] || sectors=$(($(sectors_written) - sectors))
unchanged "$a" "$before_a" "after a traced run"
unchanged "$b" "$before_b" "after a traced run"

python3 - "$top" "${sectors:-none}" <<'PYTHON'
import json, re, sys

top, sectors = sys.argv[1:]
files, file_bytes, size = 50, 4096, 8 << 20


def check(what, seen, expected):
    if seen != expected:
        sys.exit(f"FAILED: {what}: {seen}, not {expected}")


def check_samples(run, rounds):
    """Each section is there, done, and as large as the plan says."""
    check("status", run["status"], "complete")
    plan = {workload["id"]: workload for workload in run["plan"]["workloads"]}
    check("workloads", list(plan), ["create", "walk", "delete", "seq-write-8"])
    seen = set()
    for sample in run["samples"]:
        where = (sample["workload"], sample["tier"], sample["round"])
        check(f"{where} status", sample["status"], "ok")
        check(f"{where} twice", where in seen, False)
        seen.add(where)
        batches = sample.get("batches", 1)
        if sample["round"] == 0 or 0 not in rounds:
            check(f"{where} batches", batches, 1)
        block = plan["seq-write-8"].get("block_bytes", 1 << 20)
        ops = size // block if sample["workload"] == "seq-write-8" else files
        written = {"create": files * file_bytes, "seq-write-8": size}.get(sample["workload"], 0)
        check(f"{where} ops", sample["ops"], batches * ops)
        check(f"{where} bytes", sample.get("bytes", 0), batches * written)
        check(f"{where} count", sample["latency"]["op"]["count"], sample["ops"])
        if written:
            check(f"{where} mismatches", sample["verify"]["mismatches"], 0)
    tiers = [tier["name"] for tier in run["tiers"]]
    check("sections", seen, {(w, t, r) for w in plan for t in tiers for r in rounds})
    return tiers


check_samples(json.load(open(f"{top}/plain.json")), [0, 1, 2])
run = json.load(open(f"{top}/traced.json"))
tiers = check_samples(run, [1, 2])

# What strace saw below each scratch directory: files made, files removed, bytes written, by the folder's disk.
ours = re.compile(r"<" + re.escape(top) + r"/([ab])/[^>]*/\.diskduel-[0-9a-f]{16}(/[^>]*)?>")
seen = {(disk, what): 0 for disk in "ab" for what in ("made", "removed", "bytes", "sequential")}
syncs = 0
pending = {}
for line in open(f"{top}/trace", errors="surrogateescape"):
    pid, call = line.split(None, 1)
    if call.rstrip().endswith("<unfinished ...>"):
        pending[pid] = call.rstrip()[: -len("<unfinished ...>")]
        continue
    resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", call, re.S)
    if resumed:
        call = pending.pop(pid, "") + resumed.group(1)
    syncs += call.startswith("sync(")
    result = re.search(r"\) += (-?\d+)", call)
    where = ours.search(call)
    if not where or not result or int(result.group(1)) < 0:
        continue
    disk, below = where.group(1), where.group(2) or ""
    # With -s 0 names are cut to "": what was opened is told by its descriptor's path instead.
    if call.startswith("openat(") and "O_CREAT" in call:
        made = re.search(r"\) += \d+<[^>]*/([^/>]*)>", call).group(1)
        seen[disk, "made"] += bool(re.fullmatch(r"f\d{8}", made))
    elif call.startswith("unlinkat(") and "AT_REMOVEDIR" not in call:
        seen[disk, "removed"] += bool(re.match(r"/t\d{3}", below))
    elif call.startswith(("write(", "pwrite64(")):
        kind = "sequential" if re.match(r"/s\d{3}-\d\d$", below) else "bytes"
        if kind == "sequential" or re.search(r"/f\d{8}$", below):
            seen[disk, kind] += int(result.group(1))
check("sync() called", syncs, 0)
for tier, disk in zip(tiers, "ab"):
    total = lambda workload, member: sum(
        sample.get(member, 0) for sample in run["samples"] if (sample["tier"], sample["workload"]) == (tier, workload)
    )
    check(f"{tier}: files made, by strace", seen[disk, "made"], total("create", "ops"))
    check(f"{tier}: files removed, by strace", seen[disk, "removed"], total("delete", "ops"))
    check(f"{tier}: bytes of small files, by strace", seen[disk, "bytes"], total("create", "bytes"))
    check(f"{tier}: bytes written in sequence, by strace", seen[disk, "sequential"], total("seq-write-8", "bytes"))
    print(f"{tier}: {seen[disk, 'made']} files made, {seen[disk, 'removed']} removed, "
          f"{seen[disk, 'bytes']} + {seen[disk, 'sequential']} bytes written: as the samples say")
if sectors != "none":
    written, durable = int(sectors) * 512, 2 * size
    check("the device saw the durable bytes", written >= durable, True)
    print(f"the loop device saw {written} bytes, of which {durable} had to be durable")
PYTHON
