# Readers that go away, outputs that are closed or full.
small_run null: null: >&- 2>talk
check "closed standard output" test $? = 0
diskduel --help >&-
check "also for help" test $? -le 0
small_run null: null: 2>&- >table
check "closed standard error" test $? = 0
check "the table is whole" grep -q '^seq-write-1 ' table
small_run null: null: <&- >table 2>talk
check "closed standard input" test $? = 0
{ small_run null: null: 2>talk; echo $? >status; } | true
check "a reader that went away" grep -qx '141\|0' status
check "is not talked about" test -z "$(grep -v 'round\|^saved as' talk)"
{ small_run null: null: -o - 2>talk; echo $? >status; } | head -c 10 >/dev/null
check "also with a document" grep -qx '141\|0' status
small_run null: null: >/dev/full 2>talk
check "a full standard output" test $? = 3
check "is named" grep -q '^diskduel: standard output: No space left on device$' talk
mkdir a
{ diskduel run --rounds 500 -w create a null: 2>&1 >/dev/null; echo $? >status; } | head -n 1 >/dev/null
check "progress that nobody reads ends the run" grep -qx 141 status
check "and nothing is left" is_empty a
small_run null: null: 2>/dev/full >table
check "a full standard error" test $? = 0
