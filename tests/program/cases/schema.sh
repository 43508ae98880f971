# Real runs against the schema, with Debian's python3-jsonschema.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || exit 77
mkdir a b
small_run -o null.json null: null: >table 2>talk
small_run -o disks.json --same-disk --threads 2 first=a second=b >table 2>talk
small_run -o mixed.json --no-warmup --rounds 1 a null: >table 2>talk
"$DISKDUEL" run -w create,delete --files 200 --rounds 500 -o stopped.json a null: >table 2>talk &
until [ -s stopped.json ]; do sleep 0.05; done
kill -TERM $!
wait $!
echo "stopped: $?"
(
    ulimit -f 100
    diskduel run -w create,seq-write --files 3 --sizes 1MiB --rounds 1 -o failed.json a null: >table 2>talk
)
echo "failed: $?"
/usr/bin/python3 "$TESTS/validate.py" "$TESTS/../../schema/run.schema.json" null.json disks.json mixed.json \
    stopped.json failed.json
echo "validated: $?"
sed 's/"wall_ns": *\([0-9]\)/"wall_ns": -\1/' null.json >wrong.json
/usr/bin/python3 "$TESTS/validate.py" "$TESTS/../../schema/run.schema.json" wrong.json >found
check "a wrong document is told" test -s found
