# clean takes what is ours and unused, and leaves all else.
mkdir a
try diskduel clean a
try diskduel clean missing
touch file
try diskduel clean file
name=a/.diskduel-0123456789abcdef
mkdir $name
try diskduel clean a
mkdir $name
touch $name/somebodys
try diskduel clean a
touch $name/.diskduel-20260101T000000Z-abcdef
try diskduel clean a
ls -A $name
rm -r $name
mkdir elsewhere
touch elsewhere/f00000000
ln -s ../elsewhere $name
try diskduel clean a
ls elsewhere
rm $name
touch $name
try diskduel clean a
try diskduel clean a missing
