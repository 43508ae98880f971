# A run judged by one of a disk against itself; and what isn't one.
/usr/bin/python3 - "$TESTS/documents/measured.json" <<'PYTHON'
import json, sys
with open(sys.argv[1]) as file:
    run = json.load(file)
run["shared"] = {"why": "A and B lie on one disk: /dev/vda1 (ext4)"}
run["plan"]["same_disk"] = True
for tier in run["tiers"]:
    tier["mount"] = run["tiers"][1]["mount"]
json.dump(run, open("self.json", "w"))
run["plan"]["rounds"] = 3
run["samples"] = [sample for sample in run["samples"] if sample["round"] <= 3]
json.dump(run, open("few.json", "w"))
PYTHON
small_run -o two.json null: null: >table 2>talk
small_run --self self.json -o judged.json null: null: >table 2>talk
check "a run takes it" test $? = 0
diskduel show --format json judged.json >again.json
check "its document holds what was taken, as far as the plans have it in common" /usr/bin/python3 -c '
import json
taken = json.load(open("again.json"))["calibration"]["self"]
for entry in taken:
    print(entry["workload"], round(entry["low"], 3), round(entry["high"], 3))'
head -c 1000 self.json >cut.json
for name in two.json few.json missing.json cut.json ./ nonesuch ''; do
    try diskduel run -w create --rounds 2 --files 20 --self "$name" null: null:
done
try diskduel run -w rand-read --self self.json null: null:
try diskduel run --dry-run -w create --self cut.json null: null:
check "nothing was measured" test ! -d "$XDG_STATE_HOME"
