# Whatever the umask takes away, a run of somebody who isn't root works and leaves nothing; among the runs a
# document is the user's alone, and -o FILE is a file as any other.
mkdir a b out
chmod 777 a b out
as=
[ "$(id -u)" = 0 ] && as='runuser -u nobody --'
masked() { # UMASK, then what a run is given
    mask=$1
    shift
    $as sh -c "umask $mask"' && exec "$@"' sh "$DISKDUEL" run -w create,walk,delete,seq-write --files 20 \
        --sizes 1MiB --rounds 1 --same-disk --runs "$PWD/out/deep/runs" "$@" a b >table 2>talk
    status=$?
    [ $status = 0 ] || cat table talk
    echo "umask $mask: $status"
}
for mask in 0 022 027 077 0777; do
    masked $mask
    masked $mask -o "$PWD/out/$mask.json"
    stat -c '%a %n' out/*.json
    rm -f out/*.json
done
stat -c '%a' out/deep out/deep/runs out/deep/runs/*.json
ls -A a b
