# shellcheck shell=bash
# What the tests on real disks have in common; sourced by them. DISKDUEL is the program's path, FAULTFS that of the
# disk that behaves as it is told.
#
# Everything is made below one temporary folder, $top, and mounted below it only: at the end, however it comes,
# what is mounted there is unmounted, and the folder removed.

set -eu
export LC_ALL=C.UTF-8

skip() { # REASON
    echo "skipped: $1"
    exit 77
}

fault() { # MESSAGE
    echo "FAILED: $1" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || skip "needs root, to mount disks of its own"
[ -x "${DISKDUEL:?names no program}" ] || fault "$DISKDUEL is no program"
for tool in python3 losetup findmnt sha256sum; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done

top=$(mktemp -d "${TMPDIR:-/tmp}/diskduel-disks-XXXXXX")
export XDG_STATE_HOME=$top/state
child=

unmount_below() { # FOLDER: all mounts, the last one first
    findmnt -rno TARGET | grep -F "$1/" | tac | while read -r target; do
        target=$(printf '%b' "$target")
        umount "$target" 2>/dev/null || umount -l "$target"
    done
}

end() {
    status=$?
    trap - EXIT HUP INT TERM
    [ -z "$child" ] || kill -KILL -- "-$child" 2>/dev/null || true
    for control in "$top"/*.control; do # what hangs there goes on
        [ ! -S "$control" ] || "$FAULTFS" --ask "$control" clear 2>/dev/null || true
    done
    unmount_below "$top"
    if findmnt -rno TARGET | grep -qF "$top/"; then
        echo "still mounted below $top: not removed" >&2
        exit 1
    fi
    rm -rf --one-file-system "$top"
    exit "$status"
}
trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Mounts a new disk of a kind at a new folder.
disk() { # KIND FOLDER [KNOB=VALUE,... of a faultfs]
    mkdir -p "$2"
    case $1 in
    tmpfs) mount -t tmpfs -o size=256m tmpfs "$2" || skip "tmpfs can't be mounted here" ;;
    ext4 | xfs | btrfs)
        command -v "mkfs.$1" >/dev/null || skip "mkfs.$1 is not installed"
        truncate -s 512M "$2.img"
        case $1 in
        ext4) mkfs.ext4 -qF "$2.img" ;;
        *) "mkfs.$1" -qf "$2.img" ;;
        esac
        mount -o loop "$2.img" "$2" || skip "$1 can't be mounted here"
        ;;
    bindfs)
        command -v bindfs >/dev/null || skip "bindfs is not installed"
        [ -c /dev/fuse ] || skip "there is no /dev/fuse"
        mkdir "$2.below"
        mount -t tmpfs -o size=256m tmpfs "$2.below" || skip "tmpfs can't be mounted here"
        bindfs "$2.below" "$2" || skip "FUSE disks can't be mounted here"
        ;;
    faultfs)
        [ -x "${FAULTFS:-}" ] || fault "FAULTFS names no program"
        [ -c /dev/fuse ] || skip "there is no /dev/fuse"
        mkdir "$2.below"
        mount -t tmpfs -o size=512m tmpfs "$2.below" || skip "tmpfs can't be mounted here"
        "$FAULTFS" --control "$2.control" -o "${3:-}" "$2.below" "$2" || {
            [ $? = 1 ] || fault "no such disk: $3"
            skip "FUSE disks can't be mounted here"
        }
        ;;
    gocryptfs)
        command -v gocryptfs >/dev/null || skip "gocryptfs is not installed"
        [ -c /dev/fuse ] || skip "there is no /dev/fuse"
        mkdir "$2.below"
        mount -t tmpfs -o size=512m tmpfs "$2.below" || skip "tmpfs can't be mounted here"
        gocryptfs -quiet -init -scryptn 10 -extpass "echo a" "$2.below" >/dev/null &&
            gocryptfs -quiet -allow_other -extpass "echo a" "$2.below" "$2" || skip "FUSE disks can't be mounted here"
        ;;
    overlay) # a container's writable layer, on an ext4
        disk ext4 "$2.below"
        mkdir "$2.below/upper" "$2.below/work" "$2.lower"
        mount -t overlay -o "lowerdir=$2.lower,upperdir=$2.below/upper,workdir=$2.below/work" overlay "$2" ||
            skip "overlay can't be mounted here"
        ;;
    *) fault "no such kind of disk: $1" ;;
    esac
}

# Changes a faultfs that is mounted, or asks it: see faultfs --help.
tell() { # FOLDER LINE...
    control=$1.control
    shift
    "$FAULTFS" --ask "$control" "$@" || fault "the disk doesn't do as told: $*"
}

# Things of the user's in a target, among them what looks as if diskduel had made it.
furnish() { # FOLDER
    mkdir -p "$1/d00" "$1/.diskduel-0123456789abcdef" "$1/.diskduel-fedcba987654321"
    head -c 100000 /dev/urandom >"$1/photo"
    echo mine >"$1/f00000000"
    echo mine >"$1/d00/f00000001"
    echo mine >"$1/.diskduel-0123456789abcdef/t000"
    ln -s photo "$1/t000"
    ln -s /etc "$1/.diskduel-00000000ffffffff"
}

# Names, types, modes and contents of all that lies in a folder.
snapshot() { # FOLDER
    (cd "$1" && find . -mindepth 1 -printf '%y %m %U %l %p\n' | sort &&
        find . -type f -print0 | sort -z | xargs -0 -r sha256sum) | sha256sum
}

# Whether all that lies there is what lay there before.
unchanged() { # FOLDER SNAPSHOT WHEN
    [ "$(snapshot "$1")" = "$2" ] && return
    ls -laR "$1" >&2
    fault "what lies in $1 is not what lay there before ($3)"
}
