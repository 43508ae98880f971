# What every case has at hand.

diskduel() {
    "$DISKDUEL" "$@"
}

# A run of a second or less that still has every kind of section; more options may follow.
small_run() {
    diskduel run -w create,walk,delete,seq-write --files 20 --sizes 1MiB --rounds 2 --seed 7 "$@"
}

# Shows a command, what it prints, and its status.
try() {
    printf '$ %s\n' "$*"
    printf '$ %s\n' "$*" >&2
    "$@"
    printf '[%s]\n' $?
}

# Says whether a command's status is 0; for what is not printed word by word.
check() {
    label=$1
    shift
    if "$@"; then
        echo "yes: $label"
    else
        echo "NO: $label"
    fi
}

is_json() {
    /usr/bin/python3 -m json.tool "$1" /dev/null
}

# The value of a member of a document: member FILE status
member() {
    /usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"
}

no_controls() {
    ! LC_ALL=C grep -q '[[:cntrl:]]' "$1"
}

is_empty() {
    [ -z "$(ls -A "$1")" ]
}

root_only() {
    [ "$(id -u)" = 0 ] || exit 77
}
