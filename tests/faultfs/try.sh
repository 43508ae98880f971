#!/bin/bash
# Whether faultfs does what each of its knobs and faults says: the tests of one group.
# Usage: try.sh GROUP
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/../disks/lib.sh"

disk faultfs "$top/probe" # whether there can be such a disk here
umount "$top/probe"
mkdir "$top/disks"
mount -t tmpfs -o size=512m tmpfs "$top/disks"
PYTHONDONTWRITEBYTECODE=1 python3 "$(dirname "$0")/try.py" "$1" "$top" "$FAULTFS"
