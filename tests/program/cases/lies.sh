# A document that states what its samples don't give: the page is what they give, and what differs is said.
cp "$TESTS/documents/measured.json" measured.json
diskduel show --format json measured.json >told.json
diskduel show told.json >truth
lying() { # PYTHON, that changes `run`
    /usr/bin/python3 -c '
import json, sys
run = json.load(open("told.json"))
metrics = {metric["id"]: metric for metric in run["metrics"]}
exec(sys.argv[1])
json.dump(run, open("lies.json", "w"))' "$1"
    diskduel show lies.json >page
    status=$?
    cmp truth page
    return $status
}
try lying 'run["headline"] = "A is the fastest disk of all."'
try lying 'run["headline"] = "\x1b[2Jhello"'
try lying 'metrics["create"]["trust"] = "discarded"'
try lying 'metrics["rename"]["values"]["persistent"]["trust"] = "reported"'
try lying 'metrics["create"]["ratio"]["factor"] = 20'
try lying 'metrics["create"]["ratio"]["slower"] = "ephemeral"'
try lying 'metrics["walk"]["ratio"]["slower"] = "ephemeral"'
try lying 'metrics["rename"]["ratio"] = {"slower": "ephemeral", "of_medians": 9}'
try lying 'metrics["create"]["values"]["persistent"]["median"] = 999'
try lying 'metrics["seq-write-1024"]["values"]["persistent"]["past_buffer"] = 900'
try lying 'metrics["read-tree"]["values"]["ephemeral"]["first_use"] = 1'
try lying 'metrics["commit"]["values"]["ephemeral"]["latency"] = {"p99": {"pooled_ns": 5}}'
try lying 'metrics["create"]["id"] = "nonesuch"'
try lying 'run["metrics"], run["findings"], run["headline"] = [], [], ""'
try lying 'run["rules_version"], run["headline"], metrics["create"]["trust"] = 2, "Other rules say other things.", "caveat"'
lying 'metrics["create"]["trust"] = "splendid"' 2>talk >out
check "a word that no trust is called is refused" test $? = 4
lying 'metrics["create"]["ratio"]["slower"] = "nobody"' 2>talk >out
check "a disk that there isn't is refused" test $? = 4
