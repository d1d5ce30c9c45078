#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_docs.sh - the documentation is correct: scenes run, links have targets
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$root" || exit 1
mapfile -t pages < <(find README.md CONTRIBUTING.md docs -name '*.md' | sort)

# every ```yaml block of a page as a file: PAGE-1.yaml, PAGE-2.yaml, ...
blocks() {
    awk -v base="$scratch/$(basename "$1" .md)" '
        /^```yaml/ { out = sprintf("%s-%d.yaml", base, ++n); next }
        /^```/ { out = "" }
        out != "" { print > out }' "$1"
}

# scenes of pages find the included robots
cp -r scenes/robots "$scratch"

# each is a whole scene: it is valid, and its first steps can be made
runs() {
    local page=$1 scene
    rm -f "$scratch"/*.yaml
    blocks "$page"
    for scene in "$scratch"/*.yaml; do
        [[ -e $scene ]] || return 0
        "$LITHE" check "$scene" || return 1
        "$LITHE" run "$scene" --set time.end=20ms --set time.step=5ms --quiet \
            --out "$scratch/x.h5" || return 1
    done
}
for page in "${pages[@]}"; do
    if grep -q '^```yaml' "$page"; then claim "scenes_of_${page}_run" runs "$page"; fi
done

# links to files, relative to the page: "](path" up to ")" or "#"
dead_links() {
    local page target bad=0
    for page in "$@"; do
        while read -r target; do
            case $target in '' | http*) continue ;; esac
            [[ -e $(dirname "$page")/$target ]] && continue
            echo "  $page: $target"
            bad=1
        done < <(grep -o '](\([^)#]*\)' "$page" | cut -c3-)
    done
    return "$bad"
}
claim links_lead_to_files dead_links "${pages[@]}"

echo '[a](b.md) and [c](../gone/d.md#e)' >"$scratch/page.md" && touch "$scratch/b.md"
finds_the_dead_link() {
    local found
    found=$(dead_links "$scratch/page.md")
    [[ $found == *"../gone/d.md" && $found != *b.md* ]]
}
claim a_dead_link_is_found finds_the_dead_link

# a numbered formula of the code is in the theory under the same number
unwritten() {
    local tag bad=0
    for tag in $(grep -rhoE '^ *//+ +\([A-Z][0-9]+\)' "$1" | grep -oE '\([A-Z][0-9]+\)' | sort -u); do
        grep -rqF "$tag" docs/theory && continue
        echo "  $tag of $1 is not in docs/theory"
        bad=1
    done
    return "$bad"
}
claim numbered_formulas_stand_in_the_theory unwritten src

printf '//     (B1)  a = b\n//     (Z99)  c = d\n' >"$scratch/law.h"
finds_the_unwritten() {
    [[ $(unwritten "$scratch/law.h") == "  (Z99) of "* ]]
}
claim an_unwritten_formula_is_found finds_the_unwritten

heavy_pictures() {
    [[ -z $(find docs/pictures -size +250k -print) ]]
}
claim pictures_are_small heavy_pictures
finish
