#!/usr/bin/python3
"""Derives the table of a run from the samples of its document and compares it with what diskduel printed.

usage: derive_table.py DOCUMENT PAGE

PAGE is `show --format markdown`. Shares no code with the program and reads nothing but plan, tiers and samples. What
the rules took away ("discarded", no ratio) isn't derived; every figure that is printed is.
"""
import json
import math
import re
import statistics
import sys
from decimal import ROUND_HALF_EVEN, Decimal

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


def cost(kind, figure):
    return figure if kind in COSTS else 1 / figure


def hodges_lehmann(kind, a, b):
    """The ratio of A's cost over B's, of the rounds in pairs: the median of all means of two logarithms."""
    logs = [math.log(cost(kind, x) / cost(kind, y)) for x, y in zip(a, b)]
    return math.exp(statistics.median((logs[i] + logs[k]) / 2 for i in range(len(logs)) for k in range(i, len(logs))))


def of_medians(a, b):
    medians = [Decimal(three_digits(statistics.median(side))) for side in (a, b)]
    if 0 in medians:
        return None
    return max(medians) / min(medians)


def check_words(kind, words, a, b, said):
    """The ratio in words is the one that the samples give, to the digits that it has."""
    if words in ("", "no clear difference"):
        return
    number, word = re.fullmatch(r"(?:under )?([0-9.]+)(?:x| %) (slower|faster)", words).groups()
    if len(a) >= 5:
        ratio = hodges_lehmann(kind, a, b)
    else:
        ratio = float(of_medians(a, b))
        medians = [statistics.median(side) for side in (a, b)]
        if (medians[0] > medians[1]) != (kind in COSTS):
            ratio = 1 / ratio
    if (ratio > 1) != (word == "slower"):
        said(f"{words}: A's cost over B's is {ratio}")
    ratio = max(ratio, 1 / ratio)
    shown = (ratio - 1) * 100 if "%" in words else ratio
    unit = Decimal(1).scaleb(Decimal(number).as_tuple().exponent)
    trailing = len(number) - len(number.rstrip("0")) if "." not in number else 0  # 1160 has three digits
    if abs(Decimal(shown) - Decimal(number)) > unit * 10 ** trailing * Decimal("0.51"):
        said(f"{words}: it is {shown}")


def check_row(document, workload, cells, said):
    kind, sides = workload["kind"], []
    if cells[1] != UNITS[kind]:
        said(f"the unit is {cells[1]}")
    for number, tier in enumerate(document["tiers"]):
        printed, spread = cells[2 + 2 * number:4 + 2 * number]
        samples = [s for s in document["samples"]
                   if s["workload"] == workload["id"] and s["tier"] == tier["name"] and s["block"] == 1]
        states = {s["status"] for s in samples}
        each = [value(kind, s) for s in samples if s["status"] == "ok" and s["round"] > 0]
        sides.append(each)
        if printed == "discarded":
            if not cells[-1].startswith("x"):
                said("it is discarded without a mark")
            continue
        if "failed" in states:
            expected, wide = "failed", ""
        elif each:
            expected = three_digits(statistics.median(each))
            wide = f"{three_digits(min(each))} to {three_digits(max(each))}" if len(each) > 1 else ""
        elif "skipped" in states:
            first = next(s for s in samples if s["status"] == "skipped")
            expected, wide = "unsupported" if first["reason"] == "unsupported" else "skipped", ""
        else:
            expected, wide = "", ""
        if spread.startswith("average "):  # beside the rate past the buffer
            printed, wide = spread.split()[1], spread
        if (printed, spread) != (expected, wide):
            said(f"{tier['name']}: {expected} {wide}, printed is {printed} {spread}")
    if len(sides) == 2 and all(sides) and "average" not in "".join(cells):
        check_words(kind, cells[6], *sides, said)
        ratio = of_medians(*sides)
        if cells[8] and cells[8] != f"{three_digits(Decimal(f'{ratio:.2e}'))}x":
            said(f"the ratio of the medians is {ratio}, printed is {cells[8]}")
        if not cells[6] and "discarded" not in cells and cells[-1] == "ok" and not document.get("shared"):
            said("there is no ratio, and no reason")


def rows_of(page):
    """Cells of the numbers' table, by label, without the backslashes."""
    rows = {}
    for line in page.split("## The numbers")[1].lstrip().split("\n\n")[0].splitlines()[2:]:
        cells = [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        rows[cells[0]] = cells
    return rows


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        printed = rows_of(file.read())
    # What is measured only instead of another workload has no row where nobody needed it; what only the rules ask
    # for has none.
    measured = {s["workload"] for s in document["samples"]}
    faults = []
    for workload in document["plan"]["workloads"]:
        if workload.get("follow_up") or (workload["id"] not in measured and workload.get("instead")):
            continue
        said = lambda words, label=workload["id"]: faults.append(f"{label}: {words}")
        if workload["id"] in printed:
            check_row(document, workload, printed.pop(workload["id"]), said)
        else:
            said("it has no row")
    faults += [f"{label}: a row of nothing" for label in printed]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
