#!/bin/sh
# build.sh OUT: make OUT/queue and OUT/suite, which start the programs of the Python port.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=$here/../../../frng/python
out=$(cd "$1" && pwd)
python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "there is no Python 3.9 or newer"
    exit 77
fi
python=$("$python" -c 'import sys; print(sys.executable)') # no launcher of a version manager
rm -rf "$out/frng"
cp -r "$port/frng" "$port/byte_queue.py" "$here/suite.py" "$out"
"$python" -m compileall -q "$out/frng" # once, and not in each process
for file in byte_queue suite; do
    name=${file#byte_}
    rm -f "$out/$name"
    # The name of a file in a site ends with .py: a link or a copy without it would be "queue:33".
    printf '#!/bin/sh\n# speaks the protocol of frng: FRNG_DRIVER\nexec %s %s "$@"\n' \
        "'$python'" "'$out/$file.py'" >"$out/$name"
    chmod +x "$out/$name"
done
