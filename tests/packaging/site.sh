#!/bin/sh
# site.sh BUILD SOURCE
# Make the site, and look for what it promises. A link to no page fails. Exit status 77 (skipped)
# without mkdocs.
set -u
build=$1 source=$2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
for program in mkdocs mandoc; do
    command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
sh "$source/examples/site/site.sh" "$build" "$scratch/site" || { echo "FAILED: site.sh"; exit 1; }
for page in index RECIPES examples/gallery/index man/frng-search.1 man/frng-events.5 frng/python/index report; do
    [ -s "$scratch/site/$page.html" ] || { echo "FAILED: $page.html is missing"; exit 1; }
done
grep -q 'split brain' "$scratch/site/report.html" || { echo "FAILED: the report shows no failure"; exit 1; }
