# What a run would do. Disks differ from machine to machine, so theirs is only looked at by name.
mkdir one two
try diskduel run --dry-run --seed 7 null: x=null:
try diskduel run --dry-run --seed 7 -p quick -t 4 -f 2000 -s 1MB -r 1 --no-warmup null: x=null:
diskduel --dry-run --same-disk A=one other=two >plan 2>talk
check "the console has it too, without a terminal" test $? = 0
check "it says that this is one disk" \
    grep -q '^note: A and other lie on one disk: .*: the ratios compare one disk with itself$' talk
grep -oE '^(path|type|source|mounted on|options|room) ' plan | sort | uniq -c
is_empty one && is_empty two && [ ! -e ../state ] && echo untouched
