# Small limits of the process.
mkdir a b
limited() { # the shell itself needs a few descriptors, so that the limit is set last
    sh -c 'ulimit -n $1; shift; exec "$@"' sh "$@"
}
for limit in 6 8 10 12 14 16 20 24 32; do
    limited $limit "$DISKDUEL" run -w create,walk,delete,seq-write --files 20 --sizes 1MiB --rounds 1 \
        --same-disk --threads 4 a b >table 2>talk
    status=$?
    case $status in
    0) ;;
    2) grep -q 'open files' talk || cat talk ;;
    *) echo "$limit open files: status $status" && cat talk ;;
    esac
done
(
    ulimit -n 24
    try small_run --same-disk --threads 64 a b 2>&1 | sed 's/allows [0-9]*/allows N/'
)
check "nothing is left with few open files" sh -c '[ -z "$(ls -A a b | grep diskduel)" ]'
(
    ulimit -S -n 16
    small_run --same-disk --threads 16 a b >table 2>talk
)
check "a soft limit is raised" test $? = 0
(
    ulimit -f 100 # blocks of 512 bytes
    diskduel run -w seq-write --sizes 1MiB --rounds 1 --same-disk a b >table 2>talk
)
check "a file size limit is an error of the disk, not a death" test $? = 3
tr -s '\n ' ' ' <table >line
check "and is named" grep -q 'File too large' line
check "nothing is left then" sh -c '[ -z "$(ls -A a b | grep diskduel)" ]'
