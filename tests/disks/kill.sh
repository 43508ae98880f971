#!/bin/bash
# Ten kills (SIGKILL) at random moments: `diskduel clean` leaves only what was there before, and the document
# can be read. Then the signals that end a run in good order: nothing to clean.
# Usage: kill.sh KIND (ext4, xfs, tmpfs, bindfs)
# shellcheck source=tests/disks/lib.sh
. "$(dirname "$0")/lib.sh"
set -m # each child has a process group of its own: a kill reaches all of the program, and nothing else

disk "$1" "$top/a"
disk tmpfs "$top/b"
a=$top/a/target
b=$top/b/target
mkdir "$a" "$b"
furnish "$a"
furnish "$b"
before_a=$(snapshot "$a")
before_b=$(snapshot "$b")

start() {
    rm -f "$top/run.json"
    "$DISKDUEL" run --rounds 500 --files 1100 --sizes 8MiB --threads 2 -o "$top/run.json" "$a" "$b" \
        >"$top/table" 2>"$top/log" </dev/null &
    child=$!
}

wait_for_all() { # until no process of the group is left
    status=0
    wait "$child" 2>/dev/null || status=$?
    while kill -0 -- "-$child" 2>/dev/null; do
        sleep 0.02
    done
    child=
}

some_milliseconds() { # MOST
    awk -v n="$(od -An -N2 -tu2 /dev/urandom)" -v most="$1" 'BEGIN { printf "%.3f\n", n / 65536 * most / 1000 }'
}

# The three places of one run where a kill would hurt most are short: from mkdir to marker, and the end.
# Short times hit the first, the rest is everywhere.
leftovers=0
for most in 15 30 60 120 300 600 1000 2000 3000 4000; do
    start
    pause=$(some_milliseconds "$most")
    sleep "$pause"
    kill -0 "$child" 2>/dev/null || {
        cat "$top/log" >&2
        fault "the run ended by itself before it was killed"
    }
    kill -KILL -- "-$child"
    wait_for_all
    for folder in "$a" "$b"; do
        [ "$(find "$folder" -maxdepth 1 -name '.diskduel-*' | wc -l)" -le 3 ] || leftovers=$((leftovers + 1))
    done
    "$DISKDUEL" clean "$a" "$b" >"$top/cleaned" 2>&1 || {
        cat "$top/cleaned" >&2
        fault "clean ended with $?"
    }
    unchanged "$a" "$before_a" "killed after $pause s, and cleaned"
    unchanged "$b" "$before_b" "killed after $pause s, and cleaned"
    if [ -e "$top/run.json" ]; then
        "$DISKDUEL" show "$top/run.json" >"$top/shown" 2>&1 || {
            cat "$top/shown" >&2
            fault "the document of a run killed after $pause s can't be read"
        }
    fi
done
echo "ten kills left $leftovers directories behind, and clean removed them all"
[ "$leftovers" -gt 0 ] || fault "no kill hit a run that had begun: nothing was tested"

for signal in HUP:129 INT:130 TERM:143; do
    start
    while ! grep -q . "$top/log" && kill -0 "$child" 2>/dev/null; do
        sleep 0.02
    done
    sleep "$(some_milliseconds 1000)"
    kill -"${signal%:*}" "$child"
    wait_for_all
    [ "$status" = "${signal#*:}" ] || {
        cat "$top/log" >&2
        fault "SIG${signal%:*}: status $status, not ${signal#*:}"
    }
    unchanged "$a" "$before_a" "after SIG${signal%:*}"
    unchanged "$b" "$before_b" "after SIG${signal%:*}"
    "$DISKDUEL" show "$top/run.json" >"$top/shown" || fault "the document of a run that got SIG${signal%:*} can't be read"
done
echo "SIGHUP, SIGINT and SIGTERM left nothing"
