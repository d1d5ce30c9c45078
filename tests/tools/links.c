// SPDX-License-Identifier: Apache-2.0
// tests/tools/links.c - a program of nothing but one library: it links when that needs nothing else

int main(void) {
    return 0;
}
