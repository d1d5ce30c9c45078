#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_site.sh - the site is made from a bare tree, its links have targets, and the
# matrix of features names tests that exist
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a tree without a build: what is changed below is a copy, the rest is linked
tree=$scratch/tree
mkdir "$tree"
for entry in "$root"/*; do
    case ${entry##*/} in build | docs | tools) ;; *) ln -s "$entry" "$tree/" ;; esac
done
cp -r "$root/docs" "$root/tools" "$tree/"
site=$scratch/site

builds() {
    "$tree/tools/site" "$site" && [[ -s $site/index.html ]]
}
claim a_bare_tree_becomes_a_site_whose_links_lead_somewhere builds

every_scene_has_a_page() {
    local scene name
    for scene in "$root"/scenes/*.yaml; do
        name=$(basename "$scene" .yaml)
        grep -q "href=\"scenes/$name.html\"" "$site/index.html" || return 1
        grep -q "lithe run scenes/$name.yaml" "$site/scenes/$name.html" || return 1
        grep -q '<figure><img src="../pictures/' "$site/scenes/$name.html" || return 1
        grep -q '<h2>Against known answers</h2>' "$site/scenes/$name.html" || return 1
    done
}
claim every_scene_has_a_page_with_picture_command_and_numbers every_scene_has_a_page

# functions by the header that declares them; each is on its page, with its comment
every_call_is_in_the_reference() {
    local header name bad=0
    for header in "$root"/include/lithe/*.h; do
        while read -r name; do
            grep -q "id=\"$name\"" "$site/c/$(basename "$header" .h).html" && continue
            echo "  $name of $header"
            bad=1
        done < <(grep '^LITHE_API' "$header" | grep -o 'lithe_[a-z0-9_]*(' | tr -d '(')
    done
    grep -q '#define LITHE_API __attribute__' "$site/c/base.html" || bad=1
    return "$bad"
}
claim every_public_call_is_in_the_reference every_call_is_in_the_reference

nothing_is_loaded_from_elsewhere() {
    ! grep -rnE '(src|<link[^>]*href)="(https?:)?//' "$site" --include=*.html
}
claim pages_load_nothing_from_elsewhere nothing_is_loaded_from_elsewhere

a_second_build_changes_nothing() {
    cp -r "$site" "$scratch/first" && "$tree/tools/site" "$site" && diff -r "$scratch/first" "$site"
}
claim a_second_build_gives_the_same_site a_second_build_changes_nothing

refuses_a_folder_of_others() {
    mkdir "$scratch/mine" && touch "$scratch/mine/letter"
    expect 1 'not a site of this tool' "$tree/tools/site" "$scratch/mine" && [[ -e $scratch/mine/letter ]]
}
claim a_folder_with_something_else_in_it_is_left_alone refuses_a_folder_of_others

# only where there is a command; the page of the viewer may not have been built, plots need none
renders() {
    "$tree/tools/site" "$scratch/played" --render 20 --only incline
    grep -q 'players/incline-1.svg' "$scratch/played/scenes/incline.html" &&
        [[ -s $scratch/played/players/incline-1.svg && ! -e $scratch/played/runs ]]
}
if [[ -x $LITHE ]]; then claim a_scene_that_is_rendered_shows_its_plot renders; fi

# the picture of every scene of the gallery and of every shape has its command; one is drawn
pictures_have_commands() {
    local list name
    list=$("$tree/tools/gallery/pictures.py" --list) || return 1
    for name in "$root"/scenes/*.yaml; do
        name=$(basename "$name" .yaml)
        grep -q "pictures/$name.png" "$root/docs/gallery/README.md" || continue
        grep -q "^$name  *$name " <<<"$list" || { echo "$name" && return 1; }
    done
    for name in "$root"/docs/pictures/shape-*.png; do
        grep -q "^$(basename "$name" .png) " <<<"$list" || { echo "$name" && return 1; }
    done
    expect 2 "no command is known for the picture 'gone'" "$tree/tools/gallery/pictures.py" gone || return 1
    if [[ -x $LITHE ]]; then
        LITHE=$LITHE "$tree/tools/gallery/pictures.py" shape-sphere --out "$scratch/drawn" --runs "$scratch/runs" &&
            [[ -s $scratch/drawn/shape-sphere.png ]]
    fi
}
claim every_picture_of_the_gallery_can_be_drawn_again pictures_have_commands

# what the converter makes of each form
converts() {
    python3 -B - "$root/tools/gallery" <<'PY'
import sys

sys.path.insert(0, sys.argv[1])
from markdown import Page

text = """# A *b* `c`

Go [on](x.md#y), see (B1) and (B2); 2 * 3 * 4 and a_b_c; `a | b` **bold `x`**, **7** **5**.

    (B1)  a < b

- one
  goes on
  - inner
- two

1. first

   more

| k | v |
|---|---|
| `a\\|b` | c<br>d |

```yml
key: 1 # why
```
"""
page = Page(text, lambda target: target.replace(".md", ".html"))
for want in (
    '<h1 id="a-b-c">A <em>b</em> <code>c</code></h1>',
    '<a href="x.html#y">on</a>',
    '<a class="eq" href="#eq-B1">(B1)</a> and (B2)',
    "2 * 3 * 4 and a_b_c; <code>a | b</code> <strong>bold <code>x</code></strong>, ",
    "<strong>7</strong> <strong>5</strong>.",
    '<pre class="formula"><code><span id="eq-B1">(B1)</span>  <var>a</var> &lt; <var>b</var></code></pre>',
    "<li>one goes on\n<ul>\n<li>inner</li>\n</ul></li>\n<li>two</li>",
    "<ol>\n<li><p>first</p>\n<p>more</p></li>\n</ol>",
    "<td><code>a|b</code></td><td>c<br>d</td>",
    "<b>key</b>: 1 <i># why</i>",
):
    assert want in page.html, f"{want}\nis not in\n{page.html}"
PY
}
claim markdown_becomes_html converts

typesets() {
    python3 -B - "$root/tools/gallery" <<'PY'
import sys

sys.path.insert(0, sys.argv[1])
from formulas import typeset

for plain, want in (
    ("omega^2 = k/m", "<var>ω</var><sup>2</sup> = <var>k</var>/<var>m</var>"),
    ("v_n &lt;= mu_s |v_t|", "<var>v</var><sub><var>n</var></sub> ≤ <var>μ</var><sub><var>s</var></sub> |<var>v</var><sub><var>t</var></sub>|"),
    ("x0 = sqrt(a . b)", "<var>x</var><sub>0</sub> = √(<var>a</var> · <var>b</var>)"),
    ("det F  where the volume stays constant", "det <var>F</var>  where the volume stays constant"),
    ("K^-1 - L'", "<var>K</var><sup>-1</sup> − <var>L</var>'"),
):
    got = typeset(plain)
    assert got == want, f"{plain}: {got}, not {want}"
PY
}
claim formulas_are_typeset typesets

# twenty words that users type, and a page that answers each of them among the first eight places
searches() {
    node -e '
const fs = require("fs"), vm = require("vm");
const folder = process.argv[1];
const { litheSearch } = require(folder + "/search.js");
const box = {};
vm.runInNewContext(fs.readFileSync(folder + "/search-index.js", "utf8") + "this.index = LITHE_INDEX;", box);
const wanted = {
    rope: "guide/", cable: "guide/", friction: "guide/", collision: "guide/contacts", torque: "guide/",
    dt: "guide/", robot: "guide/", urdf: "guide/import", video: "guide/", install: "guide/install",
    units: "guide/faq", knot: "knots", slow: "guide/performance", crash: "guide/", resume: "guide/command",
    python: "guide/python", gym: "guide/", gripper: "guide/", mujoco: "guide/coming-from", windows: "guide/faq",
    damping: "guide/cookbook", "contact stiffness": "guide/contact-stiffness", "time step": "guide/", gpu: "limits",
};
let bad = 0;
for (const [word, page] of Object.entries(wanted)) {
    const found = litheSearch(word, box.index).slice(0, 8).map((row) => row[3]);
    if (!found.some((address) => address.startsWith(page))) {
        console.log("  " + word + ": " + found.join(" "));
        bad = 1;
    }
}
if (litheSearch("qwertz", box.index).length !== 0 || litheSearch("  ", box.index).length !== 0) bad = 1;
process.exit(bad);' "$site"
}
if command -v node >/dev/null; then claim words_that_users_type_are_found searches; fi

# text on its backgrounds: 4.5 to 1, as the accessibility guidelines ask; every page can be used by keys
readable() {
    python3 -B - "$root/tools/gallery/style.css" <<'PY'
import re
import sys

text = open(sys.argv[1]).read()
bad = 0
for scheme in re.findall(r":root \{(.*?)\}", text, re.S):
    colour = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", scheme))

    def light(name: str) -> float:
        parts = [int(colour[name][i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for ink in ("ink", "dim", "link"):
        for back in ("back", "card", "soft"):
            a, b = sorted((light(ink), light(back)))
            if (b + 0.05) / (a + 0.05) < 4.5:
                print(f"  {ink} on {back}: {(b + 0.05) / (a + 0.05):.2f}")
                bad = 1
sys.exit(bad)
PY
}
claim text_has_enough_contrast readable
used_by_keys() {
    ! grep -LE '<a class="skip" href="#main">' -r "$site" --include=*.html | grep -v /players/ | grep . &&
        ! grep -rn '<div class="table">' "$site" --include=*.html
}
claim every_page_can_be_used_by_keys used_by_keys

# faults are found
printf '\n[gone](guide/rods.md#no-such-place)\n' >>"$tree/docs/recording.md"
finds_a_dead_place() {
    expect 1 ' guide/rods.html#no-such-place: the page has no such place' "$tree/tools/site" "$site"
}
claim a_link_to_a_place_that_is_not_there_is_found finds_a_dead_place

sed -i 's/`twist_has_no_limit`/`twist_has_no_such_test`/' "$tree/docs/features.md"
finds_a_lost_test() {
    expect 1 "row 'bodies': no test and no validation case is called twist_has_no_such_test" \
        "$tree/tools/site" --check
}
claim a_feature_shown_by_a_test_that_does_not_exist_is_found finds_a_lost_test

sed -i 's/^| sections | `.*` |$/| sections | hope |/' "$tree/docs/features.md"
finds_a_feature_without_test() {
    expect 1 "row 'sections' names nothing that shows it" "$tree/tools/site" --check
}
claim a_feature_that_nothing_shows_is_found finds_a_feature_without_test
finish
