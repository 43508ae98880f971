#!/usr/bin/python3
"""Writes a run document again with hostile words wherever something comes from outside.

usage: make_hostile.py DOCUMENT >HOSTILE
"""
import json
import sys

WORDS = "=cmd()|</script><b onload=\"x\" onerror='y'>&amp;]]>`*_[a](javascript:b)\\\n\x1b[2J\u202e,;"

with open(sys.argv[1], encoding="utf-8") as file:
    run = json.load(file)
names = {tier["name"]: WORDS + str(number) for number, tier in enumerate(run["tiers"])}
run["title"] = WORDS
run["notes"] = [WORDS]
run["host"]["hostname"] = WORDS
run["host"]["kernel"] = WORDS
run["tool"]["commit"] = WORDS
for tier in run["tiers"]:
    tier["name"] = names[tier["name"]]
    tier["path"] = "/" + WORDS
    tier["mount"] = {"type": "ext4", "source": WORDS, "target": WORDS, "options": WORDS}
for sample in run["samples"]:
    sample["tier"] = names[sample["tier"]]
failed = run["samples"][-1]
failed["status"] = "failed"
failed["error"] = {"call": "unlinkat", "errno": 5, "name": "EIO", "path": WORDS, "op": 3}
for derived in ("metrics", "findings", "headline", "not_checked"):
    run.pop(derived, None)
json.dump(run, sys.stdout)
