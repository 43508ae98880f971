#!/bin/bash
# A byte that changes on the disk between write and read is found, named and ends in exit 3. Somebody else
# changes it here: while a tree, or a large file, lies there.
# Usage: flip.sh KIND
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"

disk "$1" "$top/a"

# Changes a byte of the first file of that name that is complete, and is done.
flip_one() { # NAME SIZE OFFSET
    python3 - "$top/a" "$1" "$2" "$3" <<'PYTHON'
import glob, os, sys, time

folder, name, size, offset = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
end = time.monotonic() + 60
while time.monotonic() < end:
    for path in glob.glob(f"{folder}/.diskduel-*/{name}"):
        try:
            with open(path, "r+b") as file:
                if os.fstat(file.fileno()).st_size != size:
                    continue
                file.seek(offset)
                byte = file.read(1)
                file.seek(offset)
                file.write(bytes([byte[0] ^ 1]))
                sys.exit(0)
        except FileNotFoundError:
            pass
    time.sleep(0.002)
sys.exit("FAILED: the file was never there")
PYTHON
}

found() { # WHAT WORKLOADS NAME SIZE OFFSET EXPECTED-IN-THE-TABLE
    flip_one "$3" "$4" "$5" &
    flipper=$!
    status=0
    "$DISKDUEL" run --workloads "$2" --files 20 --file-size 12KiB --rounds 2 --no-warmup --verify full \
        -o "$top/run.json" "$top/a" null: >"$top/table" 2>"$top/log" || status=$?
    wait "$flipper" || fault "$1: nothing was changed"
    [ "$status" -eq 3 ] || { cat "$top/table" "$top/log" >&2; fault "$1: exit $status, not 3"; }
    grep -q "$6" "$top/table" || { cat "$top/table" >&2; fault "$1: the table doesn't say '$6'"; }
    python3 - "$top/run.json" "$5" "$1" <<'PYTHON'
import json, sys

run, offset, what = json.load(open(sys.argv[1])), int(sys.argv[2]), sys.argv[3]
failed = [sample for sample in run["samples"] if sample["status"] == "failed"]
if not failed:
    sys.exit(f"FAILED: {what}: no sample failed")
error = failed[0]["error"]
print(f"{what}: {failed[0]['workload']}: {error['call']} {error['path']} at byte {error['offset']}")
if not error["offset"] <= offset < error["offset"] + 4096 or failed[0]["verify"]["mismatches"] < 1:
    sys.exit(f"FAILED: {what}: byte {offset} is not what was found: {failed[0]}")
PYTHON
}

# In a stamp, which the timed read looks at; and beyond it, which only reading back whole files finds.
found "small file, stamp" create,walk-later,read-tree,delete 't000/f00000007' 12288 4099 'read-tree .*failed'
found "small file, data" create,walk-later,read-tree,delete 't000/f00000007' 12288 6001 'create .*failed'
found "large file, stamp" seq-read 'l00' 67108864 33554435 "seq-read-.* failed"
found "large file, data" seq-read 'l00' 67108864 33556433 "seq-read-.* failed"
