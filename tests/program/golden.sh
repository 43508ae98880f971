#!/bin/sh
# Runs a case in a folder of its own and compares what it prints, and its exit status, with CASE.stdout,
# CASE.stderr and CASE.exit. With DISKDUEL_BLESS=1 it writes them instead.
#
# usage: golden.sh PROGRAM CASE.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$1
name=$(basename "$2" .sh)
expected=$here/cases/$name

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # a case may run the program as another user
mkdir "$work/here"

cd "$work/here" || exit 1
env -i PATH="$PATH" LC_ALL=C.UTF-8 TERM=dumb HOME="$work/home" XDG_STATE_HOME="$work/state" \
    ASAN_OPTIONS="${ASAN_OPTIONS-}" TSAN_OPTIONS="${TSAN_OPTIONS-}" \
    DISKDUEL="$program" TESTS="$here" sh -u -c '. "$TESTS/try.sh"; . "$TESTS/cases/$0.sh"' "$name" \
    </dev/null >"$work/stdout" 2>"$work/stderr"
status=$?
[ $status = 77 ] && exit 77

# What differs from run to run and place to place.
for stream in stdout stderr; do
    sed -e "s|$work/here|HERE|g; s|$work|WORK|g; s|$program|PROGRAM|g" \
        -e 's/20[0-9]\{6\}T[0-9]\{6\}Z-[0-9a-f]\{6\}/RUN/g' \
        -e 's/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9] UTC/DATE/g' \
        "$work/$stream" >"$work/$stream.plain"
done

if [ "${DISKDUEL_BLESS-}" = 1 ]; then
    cp "$work/stdout.plain" "$expected.stdout"
    cp "$work/stderr.plain" "$expected.stderr"
    echo $status >"$expected.exit"
    exit 0
fi

failed=0
diff -u "$expected.stdout" "$work/stdout.plain" || failed=1
diff -u "$expected.stderr" "$work/stderr.plain" || failed=1
[ "$(cat "$expected.exit")" = $status ] || {
    echo "exit status $status, not $(cat "$expected.exit")"
    failed=1
}
exit $failed
