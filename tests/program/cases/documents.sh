# What isn't a run that can be read is refused with status 4, in one line.
small_run null: null: -o good.json >table 2>talk
check "there is a run" test $? = 0
head -c 1000 good.json >cut.json
: >empty.json
echo '{"format": "something"}' >foreign.json
echo 'hello' >text.json
echo '[]' >list.json
sed 's/"version": *1/"version": 999/' good.json >newer.json
mkdir folder.json
mkfifo pipe.json
ln -s good.json link.json
try diskduel show ./missing.json
for name in cut empty foreign text list newer folder pipe; do
    try diskduel show "$name.json"
done
try diskduel show nonesuch
try diskduel show ''
try diskduel show --runs ./nowhere last
try diskduel show "$(printf 'odd\033[31m.json')"
diskduel show link.json >again
check "a link to a run is a run" cmp table again
sed 's/"median": *[0-9.]*/"median": 12345.5/' good.json >lies.json
diskduel show lies.json >again 2>talk
check "what is stored is never shown" cmp table again
check "and what differs is said" grep -q '^note: ' talk
bytes=$(wc -c <good.json)
at=0
while [ $at -lt "$bytes" ]; do
    head -c $at good.json >cut.json
    diskduel show cut.json >out 2>talk
    [ $? = 4 ] || echo "cut at $at: not refused"
    at=$((at + bytes / 50 + 1))
done
for round in 0 1 2; do # under one folder, with a beginning in common; some of one second
    diskduel run -w walk --files 20 --rounds 1 --runs many null: null: >table 2>talk
done
diskduel show --runs many 2 >out 2>talk
check "the beginning of several ids is refused" test $? = 4
diskduel show --runs many last >again
check "last is the last" cmp table again
