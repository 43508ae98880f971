# Small limits of the process.
mkdir a b
for limit in 16 32 64; do
    (
        ulimit -n $limit
        small_run --same-disk --threads 4 a b >table 2>talk
        status=$?
        case $status in
        0) ;;
        2 | 3) grep -q 'open files\|RLIMIT_NOFILE\|Too many open files' talk table || cat talk table ;;
        *) echo "$limit open files: status $status" && cat talk ;;
        esac
    )
done
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
check "and is named" grep -q 'File too large' table
check "nothing is left then" sh -c '[ -z "$(ls -A a b | grep diskduel)" ]'
