# A run in every format, read back by parsers of others; and where it goes.
check_report() { # FORMAT FILE [--hostile]
    /usr/bin/python3 "$TESTS/check_report.py" "$@"
}
mkdir kept
small_run null: null: -o kept/run.json --same-disk --threads 1,2 >table 2>talk
/usr/bin/python3 "$TESTS/make_hostile.py" kept/run.json >kept/hostile.json
for run in run hostile; do
    for format in text markdown html csv json; do
        diskduel show --format $format kept/$run.json >$run.$format 2>talk
        check "$run as $format" test $? = 0
        check "nothing is said beside it" test ! -s talk
    done
    diskduel show kept/$run.json >$run.table 2>talk
    check "the table holds no control characters" no_controls $run.table
done
check "HTML" check_report html run.html
check "CSV" check_report csv run.csv
check "hostile HTML" check_report html hostile.html --hostile
check "hostile CSV" check_report csv hostile.csv --hostile
check "hostile text holds no control characters" no_controls hostile.text
check "hostile Markdown holds no control characters" no_controls hostile.markdown
check "a row a sample" test "$(wc -l <run.csv)" = \
    "$(/usr/bin/python3 -c 'import json; print(len(json.load(open("kept/run.json"))["samples"]) + 1)')"
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    check "JSON" /usr/bin/python3 "$TESTS/validate.py" "$TESTS/../../schema/run.schema.json" run.json hostile.json
fi
check "the whole page holds the table's rows" grep -q '^create-t1' run.text
try diskduel show --format pdf kept/run.json
try diskduel show --format
diskduel show --format html -o report.html kept/run.json >out 2>talk
check "into a file" cmp -s report.html run.html
check "nothing on standard output" test ! -s out
echo mine >mine
try diskduel show --format html -o mine kept/run.json
ln -s nowhere link
try diskduel show -o link kept/run.json
try diskduel show -o folder/that/is/not/there kept/run.json
check "what was there stays" test "$(cat mine)" = mine
check "and no link is followed" test ! -e nowhere
diskduel show --format csv -o - kept/run.json >out
check "- is standard output" cmp -s out run.csv
try diskduel run --format html null: null:
