# A directory where one may not write, as somebody who isn't root.
mkdir a locked
chmod 777 a
chmod 555 locked
as=
[ "$(id -u)" = 0 ] && as='runuser -u nobody --'
program() {
    HOME=/nonexistent $as "$DISKDUEL" "$@"
}
try program run a locked
try program run locked a
try program run a null: --runs locked
try program run a null: -o locked/x.json
try program clean locked
chmod 000 locked
try program run a locked
try program clean locked
chmod 755 locked
is_empty a && is_empty locked && echo untouched
