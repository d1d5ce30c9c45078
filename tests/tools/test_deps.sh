#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_deps.sh - tools/deps needs root only when something is missing
# shellcheck source=tests/test.sh disable=SC2317,SC2016
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a machine made of stand-ins: what is installed, who we are, whether there is sudo
machine() {
    local installed=$1 user=$2 sudo=$3 bin tool
    bin=$(mktemp -d -p "$scratch")
    for tool in bash awk env cat true; do ln -s "$(command -v "$tool")" "$bin/$tool"; done
    stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }
    stand_in id "echo $user"
    stand_in dpkg-query "if [[ \$* == *Status* ]]; then printf '$installed'
        elif [[ '$installed' == *clang* ]]; then echo 1:15.0-1; else exit 1; fi"
    stand_in apt-cache 'echo "  Candidate: 1:16.0.6-1"'
    stand_in apt-get 'echo "apt-get as ${AS-user} $*"'
    case $sudo in
    yes) stand_in sudo 'if [[ $1 == -n ]]; then shift; fi; AS=sudo "$@"' ;;
    refuses) stand_in sudo 'echo "sudo: a password is required" >&2; exit 1' ;;
    esac
    echo "$bin"
}
deps_on() {
    local code=$1 part=$2 bin
    bin=$(machine "$3" "$4" "$5")
    shift 5
    expect "$code" "$part" env PATH="$bin" "$root/tools/deps" "$@" </dev/null
}
all_build=
for name in build-essential cmake ninja-build libcivetweb-dev libfyaml-dev libhdf5-dev libmetis-dev \
    libpng-dev libsuitesparse-dev libxml2-dev zlib1g-dev nodejs npm; do
    all_build+="installed|$name|\\n"
done
all_build+='installed|pkgconf|pkg-config (= 1.8), other\n'
all=$all_build
for name in clang clang-format valgrind chromium libclang-rt-15-dev python3-dev python3-venv \
    python3-pip; do all+="installed|$name|\\n"; done

complete_is_silent() {
    [[ -z $(PATH="$(machine "$all" 1000 no)" "$root/tools/deps" 2>&1) ]]
}
claim complete_machine_needs_no_root_and_says_nothing complete_is_silent
claim provided_packages_count deps_on 0 "" "$all_build" 1000 no build
claim missing_ones_are_named deps_on 1 "apt-get install clang clang-format valgrind" "$all_build" 1000 no
claim neither_root_nor_sudo_is_said deps_on 1 "needs root or sudo" "" 1000 no build
claim a_refusing_sudo_is_reported deps_on 1 "sudo refuses" "" 1000 refuses build
claim root_installs deps_on 0 "apt-get as user -q -y" "" 0 no build
claim sudo_is_used deps_on 0 "apt-get as sudo -q -y" "" 1000 yes build
claim only_what_is_missing_is_installed deps_on 0 "--no-install-recommends clang clang-format" \
    "$all_build" 0 no
claim removed_packages_are_missing deps_on 0 "recommends cmake" \
    "${all_build/installed|cmake/config-files|cmake}" 0 no build
claim runtime_fits_the_clang_to_come deps_on 0 "libclang-rt-16-dev" "$all_build" 0 no check
claim runtime_fits_the_clang_at_hand deps_on 0 "libclang-rt-15-dev" "$all" 0 no --list check
claim build_list_has_no_checkers expect 0 "libpng-dev" "$root/tools/deps" --list build
claim unknown_argument_is_refused deps_on 2 "unknown argument 'tets'" "$all" 0 no tets
finish
