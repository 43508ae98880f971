#!/bin/bash
# Looks at HTML reports in headless Chromium, as a light and a dark screen, a phone of 390 pixels and paper: that
# nothing is wider than the window, that nothing is fetched or refused, that text keeps its contrast, and that
# pictures aren't blank. Keeps the pictures in a folder where one is named.
#
# usage: screenshot.sh PROGRAM [FOLDER]
set -u
program=$1
here=$(cd "$(dirname "$0")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
[ -n "$browser" ] || {
    echo "skipped: there is no chromium"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

fault() {
    echo "$*" >&2
    status=1
}

scheme() { # light|dark, as Blink numbers them
    [ "$1" = dark ] && echo 0 || echo 1
}

browse() { # ARGUMENTS... PAGE
    timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
        --allow-file-access-from-files --user-data-dir="$work/profile" "$@" 2>talk
    if grep -qE 'CONSOLE|Refused|Not allowed to load' talk; then
        fault "the console says: $(grep -E 'CONSOLE|Refused|Not allowed to load' talk)"
    fi
}

# A page that measures another one in a frame of that width, since a window may not be so narrow.
probe() { # PAGE WIDTH
    cat <<END
<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe id="frame" src="$1" style="border:0;width:$2px;height:900px"></iframe><pre id="found">no</pre><script>
frame.onload = () => {
    const page = frame.contentDocument, view = frame.contentWindow, wide = [], pale = [];
    const scrolls = e => e.closest('.scroll') && !e.classList.contains('scroll');
    const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(v => { v /= 255;
        return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ground = light(view.getComputedStyle(page.body).backgroundColor);
    for (const e of page.body.querySelectorAll('*')) {
        const box = e.getBoundingClientRect();
        if (!scrolls(e) && box.width > 1 && box.right > $2 + 0.5) wide.push(e.tagName + ' ' + Math.round(box.right));
        const style = view.getComputedStyle(e), text = light(e.closest('svg') ? style.fill.replace('none', 'rgb(0,0,0)')
                                                                              : style.color);
        const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
        const says = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (says && !['TITLE', 'DESC'].includes(e.tagName.toUpperCase()) && contrast < 4.5)
            pale.push(e.tagName + ' ' + contrast.toFixed(2));
    }
    found.textContent = JSON.stringify({width: page.documentElement.scrollWidth, wide: wide.slice(0, 5),
        pale: pale.slice(0, 5), plots: page.querySelectorAll('svg.plot path').length, fetched:
        view.performance.getEntriesByType('resource').length, ground: ground > 0.5 ? 'light' : 'dark'});
};
</script>
END
}

measure() { # PAGE WIDTH SCHEME
    probe "$1" "$2" >probe.html
    browse --virtual-time-budget=5000 --window-size=1200,1000 --blink-settings=preferredColorScheme="$(scheme "$3")" \
        --dump-dom "file://$work/probe.html" >dom
    found=$(sed -n 's/.*<pre id="found">\(.*\)<\/pre>.*/\1/p' dom | sed 's/&quot;/"/g')
    echo "$1 at $2, $3: $found"
    /usr/bin/python3 - "$2" "$3" "$found" <<'END' || status=1
import json, sys
width, scheme, found = int(sys.argv[1]), sys.argv[2], sys.argv[3]
try:
    found = json.loads(found)
except ValueError:
    sys.exit("the page didn't load")
faults = [words for words, wrong in (
    ("wider than the window", found["width"] > width or found["wide"]),
    ("text too pale", found["pale"]),
    ("something was fetched", found["fetched"] > 0),
    ("no plots", found["plots"] < 10),
    ("not the scheme that was asked for", found["ground"] != scheme)) if wrong]
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults else 0)
END
}

picture() { # PAGE NAME WIDTH HEIGHT SCHEME
    browse --window-size="$3,$4" --blink-settings=preferredColorScheme="$(scheme "$5")" --screenshot="$work/$2.png" \
        "file://$work/$1" >/dev/null
    /usr/bin/python3 - "$work/$2.png" "$5" <<'END' || fault "$2: a blank picture"
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
at, packed = 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
    at += 12 + length
raw, size = zlib.decompress(packed), {2: 3, 6: 4}[colour]
line = 1 + width * size
# Lines that differ from the one above: text and plots; a blank page has none.
filled = sum(raw[y * line:y * line + line] != raw[(y + 1) * line:(y + 1) * line + line] for y in range(height - 1))
sys.exit(0 if filled > height / 4 else 1)
END
}

"$program" run -w create,walk,delete,commit,seq-write --files 200 --sizes 1MiB,2MiB --rounds 6 --same-disk -o run.json \
    . null: >/dev/null 2>&1 || fault "no run"
/usr/bin/python3 "$here/make_hostile.py" run.json >hostile.json
for run in run hostile; do
    "$program" show --format html -o $run.html $run.json || fault "no report"
    for ground in light dark; do
        measure $run.html 1100 $ground
        measure $run.html 390 $ground
    done
done
picture run.html light 1100 2400 light
picture run.html dark 1100 2400 dark
picture run.html phone 500 2400 light
browse --no-pdf-header-footer --print-to-pdf="$work/paper.pdf" "file://$work/run.html" >/dev/null
head -c 5 paper.pdf 2>/dev/null | grep -q '^%PDF-' || fault "it can't be printed"
[ -z "${2-}" ] || cp ./*.png paper.pdf run.html hostile.html "$2"
exit $status
