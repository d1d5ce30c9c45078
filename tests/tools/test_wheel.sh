#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_wheel.sh - parts of the wheel: what its files may load, the script, old symbols
#
# The wheel itself is built and checked by tools/wheel and tools/wheel --check.
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# pack NAME FILE...: a wheel with these files
pack() {
    rm -f "$1"
    python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sys.argv[2:]:
        archive.write(path, "lithe/" + path)' "$@"
}
good=lithe-1-cp311-abi3-manylinux_2_34_x86_64.whl
echo 'int main(void) { return 0; }' >main.c
echo '#include <math.h>
double f(double x, double y); double f(double x, double y) { return hypot(x, y) + 1; }' >hypot.c
gcc -o plain main.c

a_plain_program_is_accepted() {
    pack $good plain && expect 0 'lithe/plain: glibc' "$root/tools/wheel-inspect" $good
}

a_library_that_not_every_system_has_is_refused() {
    echo 'int own(void); int own(void) { return 1; }' >own.c
    gcc -shared -fPIC -o libown.so own.c && gcc -o loads main.c -Wl,--no-as-needed -L. -lown || return 1
    pack $good loads
    expect 1 'libown.so: is not in the wheel; lithe/loads loads it' "$root/tools/wheel-inspect" $good || return 1
    # in the wheel it is fine
    pack $good loads libown.so && expect 0 'libown.so' "$root/tools/wheel-inspect" $good
}

a_search_path_of_this_machine_is_refused() {
    gcc -o paths main.c -Wl,-rpath,/opt/somewhere && pack $good paths &&
        expect 1 'lithe/paths: searches libraries in /opt/somewhere' "$root/tools/wheel-inspect" $good
}

a_tag_that_promises_too_much_is_refused() {
    pack lithe-1-cp311-abi3-manylinux_2_2_x86_64.whl plain
    expect 1 'the tag says 2.2' "$root/tools/wheel-inspect" lithe-1-cp311-abi3-manylinux_2_2_x86_64.whl &&
        pack lithe-1-cp311-abi3-linux_x86_64.whl plain &&
        expect 1 'has no tag manylinux_X_Y' "$root/tools/wheel-inspect" lithe-1-cp311-abi3-linux_x86_64.whl
}

a_wheel_that_is_too_large_or_empty_is_refused() {
    head -c 200000 /dev/urandom >noise
    pack $good plain noise && expect 1 'must be at most 0.1' "$root/tools/wheel-inspect" --max-mb 0.1 $good || return 1
    pack $good main.c && expect 1 'has no executable and no module' "$root/tools/wheel-inspect" $good
}

# hypot has a new symbol since glibc 2.35
wrapped_hypot_needs_no_new_c_library() {
    gcc -O2 -fPIC -shared -Wl,--wrap=hypot -o libhypot.so hypot.c "$root/python/old_hypot.c" -lm &&
        pack $good libhypot.so && expect 0 'libm.so' "$root/tools/wheel-inspect" $good || return 1
    gcc -O2 -fPIC -shared -o libplain.so hypot.c -lm
    cat >call.py <<'PY'
import ctypes, itertools
old, new = (ctypes.CDLL(f"./lib{name}.so").f for name in ("hypot", "plain"))
for f in (old, new):
    f.restype, f.argtypes = ctypes.c_double, [ctypes.c_double] * 2
numbers = [0.0, 1.0, 0.1, 3e-320, 1e-200, 1e200, 1.7e308, float("inf"), 2 / 3, 1e8 + 0.3]
assert all(old(x, y) == new(x, y) for x, y in itertools.product(numbers, numbers))
PY
    python3 call.py
}

the_script_becomes_the_command_of_the_package() {
    mkdir -p site/lithe && touch site/lithe/__init__.py
    printf '#!/bin/sh\necho "command: $0 $*"\n' >site/lithe/lithe && chmod +x site/lithe/lithe
    cp "$root/python/_lithe_command.py" site/ && cp "$root/python/lithe/__main__.py" site/lithe/
    expect 0 'run a.yaml --until 1' env PYTHONPATH=site python3 -c 'import sys; sys.argv[1:] = ["run", "a.yaml", "--until", "1"]
import _lithe_command; _lithe_command.main()' &&
        expect 0 'lithe check b.yaml' env PYTHONPATH=site python3 -m lithe check b.yaml || return 1
    rm site/lithe/lithe
    expect 1 'has no command: tried' env PYTHONPATH=site python3 -m lithe
}

wrong_arguments_show_the_usage() {
    expect 2 'usage: tools/wheel' "$root/tools/wheel" --chekc && expect 0 'usage:' "$root/tools/wheel" --help &&
        expect 0 'usage:' "$root/tools/wheel-libraries" --help && expect 2 'usage:' "$root/tools/wheel-inspect"
}

claim a_plain_program_is_accepted a_plain_program_is_accepted
claim a_library_that_not_every_system_has_is_refused a_library_that_not_every_system_has_is_refused
claim a_search_path_of_this_machine_is_refused a_search_path_of_this_machine_is_refused
claim a_tag_that_promises_too_much_is_refused a_tag_that_promises_too_much_is_refused
claim a_wheel_that_is_too_large_or_empty_is_refused a_wheel_that_is_too_large_or_empty_is_refused
claim wrapped_hypot_needs_no_new_c_library wrapped_hypot_needs_no_new_c_library
claim the_script_becomes_the_command_of_the_package the_script_becomes_the_command_of_the_package
claim wrong_arguments_show_the_usage wrong_arguments_show_the_usage
finish
