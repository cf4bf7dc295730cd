#!/bin/sh
# Make the site of frng from the pages of the repository, the man pages, and the report of a search.
#
#     sh examples/site/site.sh BUILD OUT     BUILD: the build folder; OUT: a new folder for the site
#
# Needs mkdocs, mkdocs-material and mandoc of Debian.
set -eu
[ $# -eq 2 ] || { sed -n '4p' "$0" >&2; exit 2; }
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
for program in mkdocs mandoc; do
    command -v $program >/dev/null || { echo "site: $program is not installed" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$work/pages
mkdir -p "$pages/man"

# ---- Pages, with what they link to ----

cd "$source"
cp ./*.md LICENSE frng.wrap "$pages"
find frng examples driver tests -type f \( -path 'frng/*' -o -path 'examples/*' -o -name '*.md' \) \
    ! -path '*/node_modules/*' ! -path '*/target/*' | tar -c -T - | tar -x -C "$pages"

# ---- Man pages ----

nav=$work/nav
: >"$nav"
for page in driver/man/*.[1357] "$build"/driver/man/man5/*.5; do
    [ -f "$page" ] || continue
    name=$(basename "$page")
    mandoc -T markdown "$page" | sed 's/^# /## /; 1s/^/# /' >"$pages/man/$name.md"
    echo "      - $name: man/$name.md" >>"$nav"
done

# ---- The report of a search ----

PATH=$build/driver:$PATH
(cd "$build/examples" && frng-search ./consensus --rng-seed 1 --time 60s --quiet --reduce \
    --json "$work/events.jsonl" >/dev/null) || [ $? -eq 1 ]
frng-report "$work/events.jsonl" -o "$pages/report.html" >/dev/null

# ---- The site ----

sed -e "/MAN_PAGES/{s/MAN_PAGES//;r $nav
}" examples/site/mkdocs.yml >"$work/mkdocs.yml"
mkdocs build --clean --config-file "$work/mkdocs.yml" --site-dir "$out" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
echo "$out/index.html"
