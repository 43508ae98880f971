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

# Rounds enough for intervals, and nothing that the rules ask for where that isn't wanted.
diskduel run -w create,walk,read-tree,commit,seq-write --files 20 --sizes 1MiB,2MiB,3MiB --rounds 6 --no-follow-up \
    --threshold too-short.discard-ms=0 --threshold overhead-floor.discard=1 -o six.json null: null: >table 2>talk
check "six rounds are done" test $? = 0
diskduel show --format markdown six.json >page
/usr/bin/python3 "$TESTS/derive_table.py" six.json page
check "a script derives their table too" test $? = 0
check "nothing was measured once more" /usr/bin/python3 -c '
import json
run = json.load(open("six.json"))
assert not any("follow_up" in workload for workload in run["plan"]["workloads"])
assert {sample["block"] for sample in run["samples"]} == {1}'
