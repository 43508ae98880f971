#!/bin/bash
# How often one disk is called slower or faster than itself: two directories of it, in several runs of many short
# workloads. Prints and never asserts; the share to expect is what an interval of so many rounds leaves out.
#
#   DISKDUEL=build/release/diskduel tests/bench/same_disk.sh [FOLDER]
#
# Without a FOLDER it mounts an ext4 and a tmpfs of its own, which needs root. KINDS ("ext4 tmpfs"), RUNS (17),
# ROUNDS (6), THREADS (1,2) and WORKLOADS change what is measured: a row is a workload with a number of threads, in one run. KEEP names a
# folder that keeps the documents.
: "${KINDS:=ext4 tmpfs}" "${RUNS:=17}" "${ROUNDS:=6}" "${THREADS:=1,2}"
: "${WORKLOADS:=create,walk,read-tree,rename,delete,commit}"

if [ $# = 0 ]; then
    # shellcheck source=tests/disks/lib.sh disable=SC1091
    . "$(dirname "$0")/../disks/lib.sh"
else
    set -eu
    [ -x "${DISKDUEL:?names no program}" ] || exit 1
    top=$(mktemp -d "$1/same-disk-XXXXXX")
    trap 'rm -rf --one-file-system "$top"' EXIT
    trap 'exit 1' HUP INT TERM
fi

compare() { # NAME FOLDER DOCUMENTS
    mkdir -p "$2/one" "$2/two" "$3"
    for run in $(seq "$RUNS"); do
        "$DISKDUEL" run --same-disk --seed "$run" --rounds "$ROUNDS" --threads "$THREADS" --workloads "$WORKLOADS" \
            -o "$3/$run.json" "$2/one" "$2/two" >"$3/$run.table" 2>"$3/$run.errors" || {
            cat "$3/$run.errors" >&2
            exit 1
        }
    done
    python3 "$(dirname "$0")/same_disk.py" "$1" "$3"/*.json
}

if [ $# = 0 ]; then
    for kind in $KINDS; do
        disk "$kind" "$top/$kind"
        compare "$kind" "$top/$kind" "${KEEP:-$top/documents}/$kind"
    done
else
    compare "$1" "$top" "${KEEP:-$top/documents}"
fi
