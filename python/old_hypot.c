// SPDX-License-Identifier: Apache-2.0
// python/old_hypot.c - hypot by the symbol of older C libraries, for wheels
//
// glibc 2.35 gave hypot a new version of its symbol, which does not set errno; the value is the
// same. A program that is linked there does not start with glibc 2.34. The linker option
// --wrap=hypot makes all calls come here.

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

double lithe_old_hypot(double x, double y);
double __wrap_hypot(double x, double y);

__asm__(".symver lithe_old_hypot, hypot@" FIRST_VERSION);

double __wrap_hypot(double x, double y) {
    return lithe_old_hypot(x, y);
}
