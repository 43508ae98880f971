# Too little room is found before anything is written.
root_only
mkdir a
unshare -m true 2>/dev/null || exit 77
in_small() { # OPTIONS OF MOUNT, then a command
    unshare -m sh -c 'mount -t tmpfs -o "$1" tmpfs a || exit 77; shift; "$@"; status=$?
        [ -z "$(ls -A a)" ] || echo "something was left"; exit $status' sh "$@"
}
try in_small size=8m "$DISKDUEL" run -w seq-write --sizes 64MiB a null:
try in_small size=8m,nr_inodes=50 "$DISKDUEL" run -w create --files 100 a null:
is_empty a && echo untouched
