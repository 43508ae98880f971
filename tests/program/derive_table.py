#!/usr/bin/python3
"""Derives the table of a run from the samples of its document and compares it with what diskduel printed.

usage: derive_table.py DOCUMENT TABLE

Shares no code with the program and reads nothing but plan, tiers and samples.
"""
import json
import statistics
import sys
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

UNITS = {"create": "files/s", "walk": "ms", "walk-later": "ms", "read-tree": "files/s", "rename": "files/s",
         "delete": "ms", "seq-read": "MB/s", "rand-read": "IOPS", "rand-write": "IOPS", "commit": "commits/s",
         "seq-write": "MB/s"}
COSTS = {kind for kind, unit in UNITS.items() if unit == "ms"}  # less is better; the others are rates


def value(kind, sample):
    seconds = sample["wall_ns"] / 1e9
    if kind in COSTS:
        return sample["wall_ns"] / 1e6 / sample["batches"]
    if UNITS[kind] == "MB/s":
        return sample["bytes"] / 1e6 / seconds
    return sample["ops"] / seconds


def three_digits(number):
    exact = Decimal(number)
    if exact == 0:
        return "0"
    places = max(0, 2 - exact.adjusted())
    shown = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    if shown.adjusted() > exact.adjusted() and places > 0:  # 9.996 is 10.0
        shown = exact.quantize(Decimal(1).scaleb(1 - places), ROUND_HALF_EVEN)
    return "0" if shown <= Decimal("0.001") else str(shown)


def verdict(kind, a, b):
    if max(a) >= min(b) and max(b) >= min(a):
        return "no clear difference"
    medians = [Decimal(three_digits(statistics.median(side))) for side in (a, b)]
    if 0 in medians:
        return ""
    slower = (medians[0] > medians[1]) == (kind in COSTS)
    ratio = max(medians) / min(medians)
    word = "slower" if slower else "faster"
    if ratio < 2:
        percent = ((ratio - 1) * 100).quantize(Decimal(1), ROUND_HALF_UP)
        return f"{percent} % {word}" if percent >= 1 else f"under 1 % {word}"
    # Three digits, also of 1162.
    rounded = Decimal(f"{ratio:.2e}")
    return f"{three_digits(rounded)}x {word}"


def row(document, workload):
    columns, values = [], []
    for tier in document["tiers"]:
        samples = [s for s in document["samples"]
                   if s["workload"] == workload["id"] and s["tier"] == tier["name"] and s["block"] == 1]
        states = {s["status"] for s in samples}
        each = [value(workload["kind"], s) for s in samples
                if s["status"] == "ok" and s["round"] > 0]
        values.append([])
        if "failed" in states:
            columns.append("failed")
        elif each:
            values[-1] = each
            columns.append(three_digits(statistics.median(each)))
            if len(each) > 1:
                columns.append(f"{three_digits(min(each))}-{three_digits(max(each))}")
        elif "skipped" in states:
            first = next(s for s in samples if s["status"] == "skipped")
            columns.append("unsupported" if first["reason"] == "unsupported" else "skipped")
    one_disk = any("shared" in key for key in document) and not document["plan"].get("same_disk")
    if all(values) and len(values) == 2 and not one_disk:
        columns.append(verdict(workload["kind"], *values))
    return " ".join(" ".join([workload["id"], UNITS[workload["kind"]], *columns]).split())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        printed = {" ".join(line.split()) for line in file}
    # What is measured only instead of another workload has no row where nobody needed it; what only the rules ask
    # for has none.
    measured = {s["workload"] for s in document["samples"]}
    rows = [w for w in document["plan"]["workloads"]
            if not w.get("follow_up") and (w["id"] in measured or not w.get("instead"))]
    missing = [line for line in (row(document, w) for w in rows) if line not in printed]
    for line in missing:
        print("derived, and not in the table:", line)
    return 1 if missing else 0


sys.exit(main())
