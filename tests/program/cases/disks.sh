# A run on two directories leaves nothing behind and touches nothing that was there.
mkdir a b ./-c
echo mine >a/f00000000
mkdir a/.diskduel-notours
find a b ./-c | sort >before
try small_run a b >table 2>talk
check "it is done" grep -q '^\[0\]$' table
check "it says that this is one disk" grep -q '^note: .*--same-disk' talk
check "and gives no ratio" test -z "$(grep -E 'slower|faster|clear' table)"
small_run --same-disk --verify full --threads 3 --file-size 10000 x=a y=./-c >table 2>talk
check "with threads and odd sizes too" test $? = 0
# Which of them the rules leave is another question: a busy machine may cost all of so short a run.
tr -s '\n ' ' ' <table >line
check "and gives ratios when asked" grep -q '[Tt]he ratios compare one disk with itself' line
diskduel run -w create,walk,read-tree,rename,delete,seq-write --files 20 --sizes 1MiB,2MiB,3MiB --rounds 6 \
    --same-disk a b >table 2>talk
check "with rounds enough for intervals" test $? = 0
small_run --no-warmup --file-size 0 a -- -c >table 2>talk
check "files of no bytes, and no round 0" test $? = 0
find a b ./-c | sort >after
check "everything is as it was" cmp before after
check "also the words in the file" grep -q '^mine$' a/f00000000
for run in "$XDG_STATE_HOME"/diskduel/runs/*.json; do
    diskduel show --format markdown "$run" >page
    check "a script derives the same table" /usr/bin/python3 "$TESTS/derive_table.py" "$run" page
done
