#!/bin/sh
# Who may include whom: each floor its own headers and those of the floors below it; curses, cJSON and threads only
# where they live. Prints each breach and fails on any.
set -eu
cd "$1"
status=0

breach() {
    printf '%s\n' "$1"
    status=1
}

check() { # FLOOR ALLOWED...
    floor=$1
    shift
    pattern=$(printf '%s|' "$@" | sed 's/|$//')
    found=$(grep -nE '^#include "' src/"$floor"/*.[ch] include/"$floor"/*.h 2>/dev/null |
        grep -vE "#include \"($pattern)/" | grep -v '#include "build_info.h"' || true)
    [ -z "$found" ] || breach "up or across a floor:
$found"
}

check base base
check stats stats base
check spec spec stats base
check record record spec stats base
check analysis analysis record spec stats base
check engine engine record spec stats base
check report report analysis record spec stats base
check tui tui analysis record spec stats base
check cli cli tui report engine analysis record spec stats base

only() { # WHAT PATTERN ALLOWED-FILES-PATTERN
    found=$(grep -nE "$2" src/*/*.[ch] include/*/*.h | grep -vE "^($3)|:[0-9]+: *//" || true)
    [ -z "$found" ] || breach "$1 belongs elsewhere:
$found"
}

only curses '#include <(n?curses|ncursesw/|term\.h)' 'src/tui/screen\.c'
only cJSON '#include <cjson/' 'src/record/[a-z_]*json\.[ch]|src/report/json\.c'
only threads '#include <pthread\.h>' 'src/engine/|include/engine/'
only 'a clock' 'clock_(gettime|monotonic_ns|realtime_ns)|gettimeofday|[^a-z_]time\(NULL' \
    'src/base/|include/base/|src/engine/|include/engine/|src/cli/|include/cli/|src/record/run\.c'
only 'sync()' '[^a-z_>.]sync\(\)' 'nowhere'

# One to one: each source has its header (the parts of an engine workload and commands share theirs).
for source in src/base/*.c src/stats/*.c src/spec/*.c src/record/*.c src/analysis/*.c src/report/*.c; do
    [ -f "include/${source#src/}" ] || [ -f "include/$(printf '%s' "${source#src/}" | sed 's/c$/h/')" ] ||
        breach "no header of its own: $source"
done
exit $status
