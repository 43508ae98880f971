#!/bin/bash
# Whether two directories are two disks: what is said before anything is written.
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"

says() { # A B STATUS WORDS: of a dry run
    status=0
    "$DISKDUEL" run --profile quick --dry-run "$1" "$2" >"$top/said" 2>&1 || status=$?
    { [ "$status" = "$3" ] && grep -qF -- "$4" "$top/said"; } && return
    cat "$top/said" >&2
    fault "$1 and $2: status $status and no word of \"$4\""
}

says_not() { # A B WORDS
    "$DISKDUEL" run --profile quick --dry-run "$1" "$2" >"$top/said" 2>&1 || fault "$1 and $2: status $?"
    ! grep -qF -- "$3" "$top/said" || fault "$1 and $2: \"$3\" is said"
}

disk ext4 "$top/a"
mkdir "$top/a/one" "$top/a/two"
says "$top/a/one" "$top/a/one/" 2 "are the same directory"
says "$top/a/one" "$top/a/two" 0 "lie on one disk: /dev/loop"

mkdir "$top/bound"
mount --bind "$top/a/one" "$top/bound"
says "$top/a/one" "$top/bound" 2 "are the same directory"
says "$top/a/two" "$top/bound" 0 "lie on one disk: /dev/loop"

disk tmpfs "$top/memory"
says_not "$top/a/one" "$top/memory" "one disk"

# A disk whose image lies on the other's, and two whose images lie on one.
disk tmpfs "$top/images"
disk ext4 "$top/images/x"
disk ext4 "$top/images/y"
says "$top/images/x" "$top/images/y" 0 "share a disk further down"
says "$top/images/x" "$top/images" 0 "share a disk further down"
says_not "$top/images/x" "$top/memory" "share"

# Two subvolumes of one btrfs: their device numbers differ, their source doesn't.
if command -v mkfs.btrfs btrfs >/dev/null; then
    disk btrfs "$top/sub"
    btrfs -q subvolume create "$top/sub/one"
    btrfs -q subvolume create "$top/sub/two"
    says "$top/sub/one" "$top/sub/two" 0 "lie on one disk: /dev/loop"
fi

# A document that is written to a disk being measured.
small="--workloads create,delete --files 20 --rounds 1"
cd "$top/a"
# shellcheck disable=SC2086
"$DISKDUEL" run $small -o one/run.json two "$top/memory" 2>"$top/said" >"$top/table" || fault "status $?"
grep -q 'the document lies on the disk of A, which is being measured' "$top/said" || fault "no word of the document"
grep -q 'the document lies on the disk of A' one/run.json || fault "no word of it in the document"
# shellcheck disable=SC2086
"$DISKDUEL" run $small -o "$top/images/run.json" two "$top/memory" 2>"$top/said" >"$top/table" || fault "status $?"
! grep -q 'the document lies on' "$top/said" || fault "a document that lies elsewhere is spoken of"
cd /
echo "shared disks are known"
