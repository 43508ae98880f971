# A signal stops after the operations in flight, removes, saves, and tells by the exit status.
mkdir a b
long_run() {
    "$DISKDUEL" run -w create,delete --files 200 --rounds 500 --same-disk "$@" a b >table 2>talk &
    pid=$!
    tries=0
    until [ -n "$(find a b -name 'f0*' | head -n 1)" ] || [ $tries = 200 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
}
for signal in INT TERM HUP QUIT; do
    long_run -o $signal.json
    kill -$signal $pid
    wait $pid
    echo "$signal: $?"
    member $signal.json status
    check "nothing is left" sh -c 'is=$(ls -A a b | grep diskduel); [ -z "$is" ]'
    diskduel show $signal.json >again
    check "the table is that of the document" cmp table again
done
long_run -o - 
kill -TERM $pid
wait $pid
check "with -o - the document is whole" is_json table
long_run -o killed.json
tries=0
until [ -s killed.json ] || [ $tries = 200 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill -KILL $pid
wait $pid 2>/dev/null
echo "KILL: $?"
member killed.json status
try diskduel show killed.json >again 2>talk
check "what was saved can be read" grep -qx '\[0\]' again
touch a/mine "$(ls -d a/.diskduel-*)/somebodys"
diskduel clean a >cleaned
echo "clean, where a file of somebody's lies in it: $?"
sed 's/-[0-9a-f]\{16\}/-X/' cleaned
rm a/.diskduel-*/somebodys
diskduel clean a b >cleaned
check "clean is done" test $? = 0
sed 's/-[0-9a-f]\{16\}/-X/' cleaned
ls -A a b
