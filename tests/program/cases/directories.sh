# A directory that can't be used is refused in one line, and nothing is made.
mkdir a full 'with space' ./-odd
touch file
ln -s nowhere dangling
ln -s a link
ln -s loop loop
try diskduel run missing a
try diskduel run a missing
try diskduel run file a
try diskduel run file/x a
try diskduel run dangling a
try diskduel run loop a
try diskduel run '' a
try diskduel run a a
try diskduel run a ./a/
try diskduel run a link
try diskduel run a "$PWD/../here/a"
try diskduel run same=a same='with space'
try diskduel run =a full
try diskduel run "$(printf 'x\033[31my')=a" full
try diskduel run "$(printf 'no\033[31msuch')" full
try diskduel run -odd a
try diskduel run -- -odd missing
try diskduel run a full --runs /dev/null/x
is_empty a && is_empty full && is_empty 'with space' && echo untouched
