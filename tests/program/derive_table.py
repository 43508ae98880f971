#!/usr/bin/python3
"""Derives the table of a run from the samples of its document and compares it with what diskduel printed.

usage: derive_table.py DOCUMENT PAGE

PAGE is `show --format markdown` of DOCUMENT. Shares no code with the program. Figures, ranges and ratios come
from plan, tiers and samples alone, and so do their digits; what the rules decided (which figures are discarded, a
first round that is left out, a rate past the write buffer, a ratio that is withheld, the marks) is the document's.
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
PAIRS_LEAST = 5


# ---- Numbers ----

def three_digits(number):
    exact = Decimal(number)
    if exact == 0:
        return "0"
    places = max(0, 2 - exact.adjusted())
    shown = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    if shown.adjusted() > exact.adjusted() and places > 0:  # 9.996 is 10.0
        shown = exact.quantize(Decimal(1).scaleb(1 - places), ROUND_HALF_EVEN)
    return "0" if shown <= Decimal("0.001") else str(shown)


def signed_rank(logs):
    """The middle of the Walsh averages, and of the narrowest intervals of them that cover 95 % the widest order."""
    n = len(logs)
    averages = sorted((logs[i] + logs[k]) / 2 for i in range(n) for k in range(i, n))
    ways = [1]  # how many subsets of the ranks 1 to n have which sum
    for rank in range(1, n + 1):
        ways = [(ways[s] if s < len(ways) else 0) + (ways[s - rank] if s >= rank else 0)
                for s in range(len(ways) + rank)]
    outside = ways[0]  # of 2^n, with a sum below k
    k = 1
    while 40 * (outside + ways[k]) <= 2 ** n:  # each tail at most 1/40
        outside += ways[k]
        k += 1
    return statistics.median(averages), averages[k - 1], averages[-k], 1 - 2 * outside / 2 ** n


def power_of(number):
    return math.floor(math.log10(number))


def last_place(value, low, high):
    """Of the interval's half width two digits, of the value at most three, of the low end at least one."""
    place = power_of(value) - 2
    if high > low:
        place = max(place, power_of((high - low) / 2) - 1)
    return min(place, power_of(low)) if low > 0 else place


def to_place(value, place):
    if place > 0:
        return str(round(value / 10 ** place) * 10 ** place)
    return f"{round(value * 10 ** -place) / 10 ** -place:.{-place}f}"


# ---- What the samples say ----

class Side:
    """A workload on one tier."""

    def __init__(self, document, workload, tier):
        self.kind = workload["kind"]
        self.samples = [s for s in document["samples"]
                        if s["workload"] == workload["id"] and s["tier"] == tier["name"] and s["block"] == 1]
        self.stored = document["metrics_by_id"][workload["id"]]["values"].get(tier["name"], {})
        self.rounds = {s["round"]: s for s in self.samples if s["status"] == "ok" and s["round"] > 0}
        if "first_use" in self.stored:
            del self.rounds[min(self.rounds)]
        self.values = [self.value(s) for s in self.rounds.values()]
        self.failed = any(s["status"] == "failed" for s in self.samples)
        self.measured = bool(self.values) and not self.failed
        self.discarded = self.stored.get("trust") == "discarded"
        sizes = [w for w in document["plan"]["workloads"] if w["kind"] == self.kind == "seq-write" and
                 not w.get("follow_up") and w["threads"] == workload["threads"] and w["bytes"] < workload["bytes"]]
        self.smaller = Side(document, max(sizes, key=lambda w: w["bytes"]), tier) if sizes else None
        self.past_buffer = self.rate_past_buffer() if "past_buffer" in self.stored else None

    def value(self, sample):
        seconds = sample["wall_ns"] / 1e9
        if self.kind in COSTS:
            return sample["wall_ns"] / 1e6 / sample["batches"]
        return (sample["bytes"] / 1e6 if UNITS[self.kind] == "MB/s" else sample["ops"]) / seconds

    def rate_past_buffer(self):
        seconds = self.median_seconds() - self.smaller.median_seconds()
        return (self.bytes_of() - self.smaller.bytes_of()) / 1e6 / seconds

    def bytes_of(self):
        sample = next(iter(self.rounds.values()))
        return sample["bytes"] / sample["batches"]

    def seconds(self, number):
        sample = self.rounds[number]
        return sample["wall_ns"] / 1e9 / sample["batches"]

    def median_seconds(self):
        return statistics.median(self.seconds(number) for number in self.rounds)

    def figure(self):
        return self.past_buffer or statistics.median(self.values)

    def cost(self, number, past_buffer):
        """Of one unit of work in a round; None where it can't be told."""
        if not past_buffer:
            value = self.value(self.rounds[number])
            return value if self.kind in COSTS else 1 / value
        if number not in self.smaller.rounds:
            return None
        seconds = self.seconds(number) - self.smaller.seconds(number)
        return seconds if seconds > 0 else None

    def cells(self):
        if self.failed:
            return "discarded" if self.discarded else "failed", ""
        if self.values:
            if self.discarded:
                return "discarded", ""
            if self.past_buffer:
                return three_digits(self.past_buffer), f"average {three_digits(statistics.median(self.values))}"
            least, most = three_digits(min(self.values)), three_digits(max(self.values))
            return three_digits(self.figure()), f"{least} to {most}" if len(self.values) > 1 else ""
        skipped = [s for s in self.samples if s["status"] == "skipped"]
        if not skipped:
            return "", ""
        return "unsupported" if skipped[0]["reason"] == "unsupported" else "skipped", ""


def in_words(value, low, high, slower, coverage):
    """Verdict and interval. Below 2 they are in percent."""
    percent = value < 2
    value, low, high = ((x - 1) * 100 if percent else x for x in (value, low, high))
    if coverage:
        place = last_place(max(value, 0.01), low, high)
    else:
        place = 0 if percent else power_of(value) - 2
    digits, word = to_place(value, place), "slower" if slower else "faster"
    if percent:
        words = f"{digits} % {word}" if float(digits) > 0 else f"under 1 % {word}"
    else:
        words = f"{digits}x {word}"
    interval = f"{to_place(low, place)} to {to_place(high, place)}{' %' if percent else ''}" if coverage else ""
    return words, interval


def compare(a, b):
    """Verdict, interval, ratio of the medians as they are shown; and the figures that the document has of it: None
    where too few rounds tell what came past the buffer."""
    past_buffer = bool(a.past_buffer or b.past_buffer)
    costs = [(a.cost(n, past_buffer), b.cost(n, past_buffer)) for n in sorted(a.rounds.keys() & b.rounds.keys())]
    logs = [math.log(x / y) for x, y in costs if x and y]
    if past_buffer and len(logs) < PAIRS_LEAST:
        return "", "", "", None
    medians = [float(three_digits(side.figure())) or side.figure() for side in (a, b)]
    of_medians = max(medians) / min(medians)
    coverage = 0
    if len(logs) >= PAIRS_LEAST:
        *logs, coverage = signed_rank(logs)
        value, low, high = map(math.exp, logs)
        slower, clear = low > 1, low > 1 or high < 1
        if clear and not slower:
            value, low, high = 1 / value, 1 / high, 1 / low
        figures = {"factor": value, "low": low, "high": high, "confidence": coverage}
    else:
        slower = (a.figure() > b.figure()) == (a.kind in COSTS)
        clear = max(a.values) < min(b.values) or max(b.values) < min(a.values)
        value, low, high, figures = of_medians, 1, 1, {}
    if not clear:
        return "no clear difference", "", "", figures
    if value >= 1e6:
        words = f"over 1000000x {'slower' if slower else 'faster'}", ""
    else:
        words = in_words(value, low, high, slower, coverage)
    return *words, f"{three_digits(Decimal(f'{of_medians:.2e}'))}x", figures


# ---- Against what is printed and stored ----

def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9)


def check_stored(side, said):
    if not side.measured:
        return
    expected = {"n": len(side.values), "median": statistics.median(side.values), "min": min(side.values),
                "max": max(side.values)}
    for name, value in expected.items():
        if not close(side.stored[name], value):
            said(f"{name} is {value}, stored is {side.stored[name]}")
    if len(side.stored["each"]) != len(side.values) or not all(map(close, side.stored["each"], side.values)):
        said(f"each is {side.values}, stored is {side.stored['each']}")
    if side.past_buffer and not close(side.past_buffer, side.stored["past_buffer"]):
        said(f"past the buffer it is {side.past_buffer}, stored is {side.stored['past_buffer']}")


def check_ratio(document, metric, sides, cells, said):
    findings = [document["findings"][i] for i in metric["findings"]]
    refused = any(f["verdict"] == "refuse" and f.get("statistic") == "ratio" for f in findings)
    one_disk = "shared" in document and not document["plan"].get("same_disk")
    if not all(s.measured for s in sides) or any(s.discarded for s in sides) or refused or one_disk:
        if any(cells) or "ratio" in metric:
            said(f"there is a ratio: {cells}")
        return
    *expected, figures = compare(*sides)
    if cells != expected:
        said(f"the ratio is {expected}, printed is {cells}")
    if figures is None:
        if "ratio" in metric:
            said("there is a ratio where too few rounds tell one")
        return
    for name, value in figures.items():
        if not close(metric["ratio"].get(name, 0), value):
            said(f"the ratio's {name} is {value}, stored is {metric['ratio'].get(name)}")


def is_idle(metric, finding):
    """Whether it is about a figure that is discarded, or a ratio that isn't shown, and isn't why."""
    if finding["verdict"] != "caveat" or "metric" not in finding:
        return False
    if "tier" in finding:
        return metric["values"][finding["tier"]].get("trust") == "discarded"
    return "ratio" not in metric


def check_marks(document, metric, cell, sentences, said):
    findings = [document["findings"][i] for i in metric["findings"]]
    findings = [finding for finding in findings if not is_idle(metric, finding)]
    marked = [f for f in findings if f["verdict"] in ("discard", "caveat") or f.get("statistic") == "ratio"]
    marks = sorted({sentences.get(" ".join(f["message"].split()), 0) for f in marked})
    if "trust" not in metric:
        sign = ""
    elif any(f["verdict"] == "discard" for f in marked):
        sign = "x"
    else:
        sign = "!" if marked else "ok"
    expected = sign + ",".join(map(str, marks))
    if cell != expected:
        said(f"its marks are {expected}, printed is {cell}")


def check_row(document, workload, cells, sentences, said):
    sides = [Side(document, workload, tier) for tier in document["tiers"]]
    metric = document["metrics_by_id"][workload["id"]]
    if cells[1] != UNITS[workload["kind"]]:
        said(f"the unit is {cells[1]}")
    for number, side in enumerate(sides):
        printed = tuple(cells[2 + 2 * number:4 + 2 * number])
        if printed != side.cells():
            said(f"{'AB'[number]}: {side.cells()}, printed is {printed}")
        check_stored(side, said)
    if len(sides) == 2:
        check_ratio(document, metric, sides, cells[6:9], said)
    check_marks(document, metric, cells[-1], sentences, said)


def plain(words):
    return re.sub(r"\\(.)", r"\1", words.strip())


def rows_of(page):
    """Cells of the numbers' table, by label, without the backslashes."""
    rows = {}
    for line in page.split("## The numbers")[1].lstrip().split("\n\n")[0].splitlines()[2:]:
        cells = [plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        rows[cells[0]] = cells
    return rows


def sentences_of(page):
    """The number of each sentence that marks rows."""
    numbers, number = {}, 0
    for line in page.splitlines():
        item = re.match(r"( *)- (?:\*\*(?:[x!]([0-9]+))?.*?\*\*: )?(.*)", line)
        if not item:
            continue
        number = int(item[2]) if item[2] else number if item[1] else 0
        if number:
            numbers[plain(item[3])] = number
    return numbers


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    printed, sentences = rows_of(page), sentences_of(page)
    document["metrics_by_id"] = {m["id"]: m for m in document["metrics"]}
    # What is measured only instead of another workload has no row where nobody needed it; what only the rules ask
    # for has none.
    measured = {s["workload"] for s in document["samples"]}
    faults = []
    for workload in document["plan"]["workloads"]:
        if workload.get("follow_up") or (workload["id"] not in measured and workload.get("instead")):
            continue
        said = lambda words, label=workload["id"]: faults.append(f"{label}: {words}")
        if workload["id"] in printed:
            check_row(document, workload, printed.pop(workload["id"]), sentences, said)
        else:
            said("it has no row")
    faults += [f"{label}: a row of nothing" for label in printed]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
