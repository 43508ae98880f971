# Where the document goes.
small_run null: null: -o mine.json >table 2>talk
check "saved as said" grep -qx 'saved as mine.json\|saved as .*/mine.json' talk
check "and not among the runs" test ! -e "$XDG_STATE_HOME"/diskduel/runs/*.json
small_run null: null: -o mine.json >table 2>talk
check "a run is replaced" test $? = 0
echo 'a letter' >letter.json
try small_run null: null: -o letter.json
check "anything else is not" grep -qx 'a letter' letter.json
mkdir folder
try small_run null: null: -o folder
try small_run null: null: -o missing/x.json
try small_run null: null: -o ''
small_run null: null: -o - >document 2>talk
check "with - the document is on standard output" is_json document
check "the table on standard error" grep -q '^create ' talk
check "and the copy among the runs" cmp document "$XDG_STATE_HOME"/diskduel/runs/*.json
diskduel show - <document >table
check "it can be read from a pipe" test $? = 0
mkdir closed
chmod 555 closed
ls -A
mkdir a
"$DISKDUEL" run -w create,delete --files 100 --rounds 500 -o later.json a null: >table 2>talk &
pid=$!
tries=0
until [ -s later.json ] || [ $tries = 200 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
echo 'a letter' >letter
mv letter later.json
sleep 0.2
kill -TERM $pid
wait $pid
echo "what comes while it runs: $?"
check "is not replaced" grep -qx 'a letter' later.json
check "and that is said" grep -q '^not saved: .*later.json exists' talk
