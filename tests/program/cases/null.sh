# A run on no disk at all, saved, and shown again.
try small_run null: null: >table 2>progress
check "the run is done" grep -q '^\[0\]$' table
sed -i -e '/^\$ /d' -e '/^\[0\]$/d' table progress
check "no control characters in the table" no_controls table
check "none in the progress" no_controls progress
check "the last word is where it was saved" test "$(tail -n 1 progress)" = "saved as $(ls "$XDG_STATE_HOME"/diskduel/runs/*.json)"
check "a line of progress for a workload of a round at most" test -z "$(grep round progress | sed 's/^ *[0-9]*%//; s/  [0-9:]* left$//' | sort | uniq -d)"
grep -o '^\(create\|walk\|delete\|seq-write-1\) ' table
diskduel show last >again
check "show prints the same" cmp table again
diskduel show "$XDG_STATE_HOME"/diskduel/runs/*.json >again
check "also by its path" cmp table again
diskduel show - <"$(ls "$XDG_STATE_HOME"/diskduel/runs/*.json)" >again
check "also from standard input" cmp table again
(cd "$XDG_STATE_HOME"/diskduel/runs && cp ./*.json "$OLDPWD/run.json")
check "it is JSON" is_json run.json
member run.json status
member run.json argv
diskduel show --format markdown run.json >page
/usr/bin/python3 "$TESTS/derive_table.py" run.json page
check "a script derives the same table" test $? = 0
