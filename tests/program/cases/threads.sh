# A sweep of threads, what the table says of it, and bounds of time.
# Rounds of less than a millisecond count here: the curve is looked at, not the figures.
try diskduel run --threads 1,2 --files 20 -w create,commit --rounds 1 --seed 1 --no-warmup \
    --threshold too-short.discard-ms=0 --threshold too-short.steps=0 null: null: >table 2>talk
sed -n '/^threads/,/^$/p' table | sed -E 's/ +[0-9.]+( |$)/ N\1/g; s/ +/ /g' >curve
check "the head has both numbers" grep -q '^threads N N N against N' curve
check "each workload has a curve, on both disks" test "$(grep -c 'x as fast' curve)" = 4
for value in 0 1,65 1,2,1 1,,2 '' 1,2,3,4,5,6,7,8,9; do
    try diskduel run --threads "$value" null: null:
done
for value in none syncfs fsync; do
    try diskduel run --sync $value --dry-run -w create,rename,delete --seed 1 null: null: >plan
    grep -E 'create|rename|delete' plan
done
try diskduel run --sync sync null: null:
for value in 5 0s 1h2h 5x '' 1.5m 800h; do
    try diskduel run --max-time "$value" null: null:
done
# Five hundred rounds don't fit into two seconds: the same are left out on both disks, and the run is done.
try diskduel run --max-time 2s -w create --rounds 500 --files 1000 -o run.json null: null: >table 2>talk
check "it says so" grep -q 'max-time left no time' table
check "as many rounds on both" /usr/bin/python3 -c '
import collections, json
run = json.load(open("run.json"))
done = collections.Counter(s["tier"] for s in run["samples"] if s["status"] == "ok")
left_out = [(s["tier"], s["round"]) for s in run["samples"] if s.get("reason") == "time"]
assert len(done) == 2 and len(set(done.values())) == 1, done
assert len(left_out) == 2 and left_out[0][1] == left_out[1][1], left_out
assert run["status"] == "complete" and run["plan"]["max_time_ns"] == 2000000000
'
