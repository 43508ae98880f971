# The figures of the rules, changed by option: what then stands in the table, and what is refused.
cp "$TESTS/documents/measured.json" measured.json
diskduel show measured.json >standard
judged_by() { # what differs from the standard page
    diskduel show "$@" measured.json >changed 2>talk || cat talk
    diff standard changed
}
try judged_by --threshold not-repeatable.factor=1.3
try judged_by --threshold not-repeatable.factor=6 --threshold wide-range.factor=6
try judged_by --threshold not-repeatable.factor=3
for value in '' 1 =1 not-repeatable not-repeatable.factor not-repeatable.factor= no-such.factor=2 \
    not-repeatable.factor=x not-repeatable.factor=0.5 not-repeatable.factor=1001 not-repeatable.factor=nan \
    'not-repeatable.factor=3 ' not-repeatable.factor=3x wide-range=1.3 tail-in-one-round.share=-0.1; do
    try diskduel show --threshold "$value" measured.json
done
try diskduel run --threshold no-such.factor=2 null: null:
check "no head tells of standard figures" test -z "$(grep '^Judged' standard)"

# Those of a run are in its document, and an option goes before them.
small_run --threshold wide-range.factor=2 -o run.json null: null: >table 2>talk
diskduel show run.json >again
check "show judges by what the run was judged by" cmp table again
grep '^Judged' again
diskduel show --threshold wide-range.factor=3 run.json 2>talk | grep '^Judged'
check "what the document states is held against its own" test ! -s talk
diskduel show --threshold wide-range.factor=1.5 run.json | grep '^Judged'
