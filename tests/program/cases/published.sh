# The published benchmark, imported: the brief and every format of it, word by word.
cp "$TESTS/../analysis/documents/seed.json" published.json
try diskduel show published.json
for format in text markdown csv; do
    try diskduel show --format $format published.json
done
try diskduel show --threshold too-short.caveat-ms=5 published.json >changed
sed -n '/^Judged/,/^$/p; /^walk /p; /^delete /p; /A round lasted/,/\.$/p' changed
diskduel show --format json published.json >once.json
check "the document is JSON" is_json once.json
diskduel show --format json once.json >twice.json
check "judged again it is the same" cmp once.json twice.json
diskduel show published.json >table
diskduel show once.json >again 2>talk
check "and so is its table" cmp table again
check "with nothing to say beside it" test ! -s talk
