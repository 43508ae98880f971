# What is wrong on the command line is said in one line, before anything is touched.
mkdir a b
try diskduel
try diskduel a
try diskduel run a
try diskduel run a b c
try diskduel frobnicate a b
try diskduel run --frobnicate a b
try diskduel run --r 3 a b
try diskduel run --same a b --help=yes
try diskduel run --dry-run=yes a b
try diskduel run -x a b
try diskduel run --ascii a b
try diskduel show --rounds 3 last
try diskduel clean -o x a
try diskduel run a b --rounds
try diskduel run a b -r
try diskduel show
try diskduel show last first
try diskduel clean
try diskduel -o - a b
is_empty a && is_empty b && [ ! -e ../state ] && echo untouched
