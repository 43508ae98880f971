#!/usr/bin/python3
"""Validates run documents against the schema, with a validator that this project didn't write.

usage: validate.py SCHEMA DOCUMENT...
"""
import json
import sys

import jsonschema


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


schema = load(sys.argv[1])
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
status = 0
for path in sys.argv[2:]:
    for error in validator.iter_errors(load(path)):
        print(f"{path}: {error.json_path}: {error.message}")
        status = 1
sys.exit(status)
