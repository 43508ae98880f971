#!/bin/sh
# Everything is as .clang-format would write it.
set -eu
cd "$1"
find src include tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
