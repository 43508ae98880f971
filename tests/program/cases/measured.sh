# A run with one of everything: the brief and every format of it, word by word.
cp "$TESTS/documents/measured.json" measured.json
try diskduel show measured.json
for format in text markdown csv; do
    try diskduel show --format $format measured.json
done
diskduel show --format json measured.json >once.json
check "the document is JSON" is_json once.json
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    check "it is as the schema says" \
        /usr/bin/python3 "$TESTS/validate.py" "$TESTS/../../schema/run.schema.json" once.json
fi
diskduel show --format json once.json >twice.json
check "judged again it is the same" cmp once.json twice.json
diskduel show measured.json >table
diskduel show - <once.json >again 2>talk
check "and so is its table" cmp table again
check "with nothing to say beside it" test ! -s talk
diskduel show --format markdown once.json >page
check "a script derives the same table" /usr/bin/python3 "$TESTS/derive_table.py" once.json page
sed 's/| 9.6 to 10.4 |/| 9.6 to 10.5 |/' page >other
/usr/bin/python3 "$TESTS/derive_table.py" once.json other
check "and notices a digit" test $? = 1
