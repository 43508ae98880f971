#!/usr/bin/python3
"""Documents against the schema, with a validator that isn't ours (Debian's python3-jsonschema).

usage: schema.py SCHEMA MEASURED IMPORTED DOCUMENT...

Every document must be valid. Of the first two, each member is then given a wrong type or range, and each required one
taken away, one at a time: the damaged document must be invalid. Prints what isn't so, and ends with 1 then.
"""
import fnmatch
import json
import sys

import jsonschema

WRONG_TYPE = {dict: [1], list: {"a": 1}, str: 1, bool: "true", int: "1", float: "1"}
WRONG_NUMBER = (-1, 0.5, 2**53)

# The ways to members that must be there; * stands for any one step. The first sample is ok, those after it
# are of every kind.
REQUIRED = """
format version id status started rules_version tool host tiers plan samples tool.name shared.why
tiers.*.name tiers.0.path events.*.text
plan.profile plan.rounds plan.warmup_rounds plan.seed plan.workloads
plan.workloads.*.id plan.workloads.*.kind plan.workloads.*.version plan.workloads.*.threads
plan.workloads.*.sync plan.workloads.*.data plan.workloads.0.files plan.workloads.0.file_bytes
plan.workloads.0.depth plan.workloads.0.fanout plan.workloads.2.bytes plan.workloads.2.block_bytes
samples.*.workload samples.*.tier samples.*.round samples.*.block samples.*.sequence samples.*.status
samples.0.started samples.0.start_ns samples.0.batches samples.0.wall_ns samples.0.sync_ns samples.0.ops
samples.0.bytes samples.*.reason samples.*.drain.wall_ns samples.*.drain.dirty_after_bytes
samples.*.verify.blocks samples.*.verify.mismatches samples.*.error.call
samples.*.latency.*.digits samples.*.latency.*.count samples.*.latency.*.min_ns samples.*.latency.*.max_ns
samples.*.latency.*.sum_ns samples.*.latency.*.buckets
samples.*.series.ends_ns samples.*.series.ops samples.*.series.bytes samples.*.series.octaves
metrics.*.id metrics.*.workload metrics.*.unit metrics.*.better metrics.*.values
metrics.*.values.*.n metrics.*.values.*.median metrics.*.values.*.min metrics.*.values.*.max
metrics.*.values.*.each metrics.*.values.*.latency.p50.n metrics.*.values.*.latency.p90.median_ns
metrics.*.values.*.latency.p90.min_ns metrics.*.values.*.latency.p90.max_ns metrics.*.values.*.latency.p99_9.pooled_ns
calibration.self.*.workload calibration.self.*.low calibration.self.*.high
findings.*.rule findings.*.verdict findings.*.message findings.*.evidence findings.0.statistic
not_checked.*.rule not_checked.*.why
""".split()

REQUIRED_OF_IMPORTED = "summaries.*.workload summaries.*.tier".split()

# Numbers of which no whole one is a wrong one: figures of metrics and findings, and what the rules go by.
FIGURES = ("metrics", "thresholds", "findings")


def shortened(value):
    """The same with few elements in arrays of numbers, to be quick."""
    if isinstance(value, dict):
        return {key: shortened(child) for key, child in value.items()}
    if isinstance(value, list):
        numbers = value and all(isinstance(child, (int, float)) for child in value)
        return [shortened(child) for child in (value[:2] if numbers else value)]
    return value


def places(value, path=""):
    """Every value below this one: what it is in, its key there, and the way to it."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(children):
        step = str(key).replace(".", "_").replace("/", "_")
        yield value, key, path + step
        yield from places(child, path + step + ".")


def matches(path, pattern):
    steps, wanted = path.split("."), pattern.split(".")
    return len(steps) == len(wanted) and all(map(fnmatch.fnmatchcase, steps, wanted))


def damage_all(validator, document, required, failures):
    found = set()
    for parent, key, path in places(document):
        before = parent[key]

        def check(what):
            if validator.is_valid(document):
                failures.append(f"valid although {path} is {what}")

        evidence = fnmatch.fnmatchcase(path, "findings.*.evidence.*")  # a number or a string
        parent[key] = [1] if evidence else WRONG_TYPE[type(before)]
        check("of a wrong type")
        if type(before) is int and not path.startswith(FIGURES):
            for number in WRONG_NUMBER if before >= 0 else WRONG_NUMBER[1:]:
                parent[key] = number
                check(number)
        parent[key] = before
        patterns = [pattern for pattern in required if matches(path, pattern)]
        if patterns:
            found.update(patterns)
            del parent[key]
            check("missing")
            parent[key] = before
    failures.extend(f"the document has no {pattern}" for pattern in required if pattern not in found)


def check_origin(validator, measured, imported, failures):
    """What an imported run may have or lack, no measured one may."""
    members = {"plan": imported["plan"], "metrics": imported["metrics"], "summaries": imported["summaries"]}
    for name, value in members.items():
        if validator.is_valid({**measured, name: value}):
            failures.append(f"valid although a measured run has the {name} of an imported one")
    without = {key: value for key, value in imported.items() if key != "samples"}
    if not validator.is_valid(without):
        failures.append("an imported run needs samples")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    documents, failures = [], []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            documents.append(json.load(file))
        for error in validator.iter_errors(documents[-1]):
            failures.append(f"{name}: {error.json_path}: {error.message}"[:300])
    damage_all(validator, shortened(documents[0]), REQUIRED, failures)
    damage_all(validator, shortened(documents[1]), REQUIRED_OF_IMPORTED, failures)
    check_origin(validator, documents[0], documents[1], failures)
    for failure in failures[:40]:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
