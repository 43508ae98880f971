# Numbers are read whole or refused, with what is accepted.
mkdir a b
for value in -1 0 501 4k 1e3 1e9999 99999999999999999999 3.5 '' ' 3' +3 nan; do
    try diskduel run --rounds "$value" a b
done
for value in -1 0 65 4294967297; do
    try diskduel run --threads "$value" a b
done
for value in -1 0 4kk 64M 1e9999 1.5GiB 0x10 '16 KiB' 2GiB 99999999999TiB; do
    try diskduel run --file-size "$value" --dry-run null: null: >/dev/null
done
for value in 0 1 4095 5000 65MiB 4G; do
    try diskduel run --block "$value" null: null:
done
for value in 64 64M 1.5MiB 0 64MiB,,1MiB 64MiB, '' 1MiB,1MiB 2TiB; do
    try diskduel run --sizes "$value" null: null:
done
try diskduel run --files 0 a b
try diskduel run --files 10000001 a b
try diskduel run --seed -1 a b
try diskduel run --seed 9007199254740992 a b
try diskduel run --verify some a b
try diskduel run --profile none a b
try diskduel run --workloads create,read a b
try diskduel run --workloads create,create a b
try diskduel run --workloads '' a b
is_empty a && is_empty b && echo untouched
