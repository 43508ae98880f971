# What a run would do. Disks and machines differ from place to place, so theirs are only looked at by name.
plan_of() {
    diskduel run --dry-run --seed 7 "$@" >plan
    status=$?
    sed '/^the machine$/,$d' plan
    return $status
}

mkdir one two
try plan_of null: x=null:
try plan_of -p quick -t 4 -f 2000 -s 1MB -r 1 --no-warmup null: x=null:
try plan_of -w create,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,commit --sync fsync -r 2 \
    --max-time 5m null: x=null:
try plan_of -w create,commit -t 1,16 -r 1 null: x=null:
try plan_of -p npm-install -r 1 null: x=null:
try plan_of -p git -r 1 null: x=null:
try plan_of -w seq-write -r 1 --no-follow-up null: x=null:
check "the machine is told" grep -q '^host  ' plan
check "nothing that isn't known is called 0" test "$(grep -cE '^(host|CPUs|memory|limits) .* 0( |,|$)' plan)" = 0
diskduel --dry-run --same-disk A=one other=two >plan 2>talk
check "the console has it too, without a terminal" test $? = 0
check "it says that this is one disk" \
    grep -q '^note: A and other lie on one disk: .*: the ratios compare one disk with itself$' talk
grep -oE '^(path|type|source|mounted on|options|room|supports) ' plan | sort | uniq -c
is_empty one && is_empty two && [ ! -e ../state ] && echo untouched
