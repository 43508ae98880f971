# Help is data: on standard output, and it fits a screen of 24 lines.
try diskduel --help
try diskduel run --help
try diskduel show -h
try diskduel clean --help
for command in '' run show clean; do
    check "help of '$command' fits" test "$(diskduel $command --help | wc -l)" -lt 24
    check "help of '$command' is not wider than 80" test -z "$(diskduel $command --help | grep -E '.{81}')"
done
diskduel --version >version
check "the version has its number" grep -Eq '^diskduel [0-9]+\.[0-9]+\.[0-9]+$' version
check "and commit and compiler" grep -Eq '^commit [0-9a-f]+|^commit unknown' version
check "and features" grep -q '^features: ' version
