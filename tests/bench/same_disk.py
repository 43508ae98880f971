"""What runs of a disk against itself say: same_disk.py NAME RUN.json..."""
import json
import math
import statistics
import sys


def binomial_at_most(hits, trials, p):
    if p <= 0 or p >= 1:
        return float(p <= 0 or hits >= trials)
    ways = lambda k: math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
    return sum(math.exp(ways(k) + k * math.log(p) + (trials - k) * math.log1p(-p)) for k in range(hits + 1))


def root(rises, low=0.0, high=1.0):
    """Where a function that becomes true as its argument grows does."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) else (middle, high)
    return low


def bounds(hits, trials):
    """95 %, two-sided and exact (C. J. Clopper and E. S. Pearson, 1934)."""
    low = root(lambda p: 1 - binomial_at_most(hits - 1, trials, p) > 0.025) if hits else 0.0
    high = root(lambda p: binomial_at_most(hits, trials, p) < 0.025) if hits < trials else 1.0
    return low, high


def share(hits, trials):
    if trials == 0:
        return "none"
    low, high = bounds(hits, trials)
    return f"{hits} of {trials}, {100 * hits / trials:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"


def quartiles(values):
    values = sorted(values)
    at = lambda p: values[min(len(values) - 1, max(0, math.ceil(p * len(values)) - 1))]
    return ", ".join(f"{100 * p:.0f} %: {math.expm1(at(p)) * 100:+.1f} %" for p in (0.05, 0.25, 0.5, 0.75, 0.95))


def rounds_of(run, workload):
    """By round: the cost on each tier, and which of the two ran first."""
    names = [tier["name"] for tier in run["tiers"]]
    pairs = {}
    for sample in run["samples"]:
        if sample["workload"] == workload and sample["round"] > 0 and sample["block"] == 1 and sample["status"] == "ok":
            cost = sample["wall_ns"] / sample["batches"]
            pairs.setdefault(sample["round"], {})[names.index(sample["tier"])] = (cost, sample["first"], sample["batches"])
    return [pairs[n] for n in sorted(pairs) if len(pairs[n]) == 2]


def main(name, paths):
    rows = called = withheld = one_sided = slower = unequal = 0
    ratios, second_over_first, of_batches, by_workload = [], [], [], {}
    for path in paths:
        run = json.load(open(path))
        for metric in run["metrics"]:
            pairs = rounds_of(run, metric["workload"])
            if not pairs:
                continue
            rows += 1
            differences = [math.log(pair[0][0] / pair[1][0]) for pair in pairs]
            for pair in pairs:
                first, second = sorted(pair.values(), key=lambda side: not side[1])
                second_over_first.append(math.log(second[0] / first[0]))
            ratios.append(statistics.median(differences))
            if pairs[0][0][2] != pairs[0][1][2]:
                unequal += 1
                of_batches.append(ratios[-1] if pairs[0][0][2] > pairs[0][1][2] else -ratios[-1])
            same_sign = all(d > 0 for d in differences) or all(d < 0 for d in differences)
            one_sided += same_sign
            ratio = metric.get("ratio")
            word = bool(ratio and "slower" in ratio)
            withheld += not ratio
            called += word
            slower += word and ratio["slower"] == run["tiers"][0]["name"]
            kind = by_workload.setdefault(metric["workload"], [0, 0, 0])
            kind[0] += 1
            kind[1] += word
            kind[2] += same_sign
    print(f"{name}: {len(paths)} runs, {rows} rows, {withheld} of them without a ratio (a side is discarded)")
    print(f"  called slower or faster: {share(called, rows - withheld)}; the first folder slower in {slower}")
    print(f"  all rounds on one side, of all rows: {share(one_sided, rows)}")
    print(f"  ratios (medians of the rounds in pairs): {quartiles(ratios)}")
    print(f"  what ran second over what ran first: {quartiles(second_over_first)}; second slower in "
          f"{share(sum(d > 0 for d in second_over_first), len(second_over_first))} pairs")
    if of_batches:
        print(f"  {unequal} rows with unequal batches, the side with more over the other: {quartiles(of_batches)}; "
              f"slower in {share(sum(d > 0 for d in of_batches), len(of_batches))}")
    for workload, (count, words, sides) in sorted(by_workload.items()):
        print(f"  {workload}: {words} called, {sides} on one side, of {count}")


main(sys.argv[1], sys.argv[2:])
