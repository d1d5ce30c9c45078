// SPDX-License-Identifier: Apache-2.0
// tests/test.h - the whole test framework: TEST(claim) { CHECK(..); }, one main per file
//
// A test's name is a claim. A failed CHECK marks the test as failed and continues; FATAL ends it.
// Each program ends with a line "N passed, M failed". An argument runs only the tests whose name
// contains it.

#ifndef LITHE_TEST_H
#define LITHE_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void TestFn(void);

static struct {
    const char *name[256];
    TestFn *run[256];
    int count;
    int failures; // of the running test
} test_list;

static inline void test_add(const char *name, TestFn *run) {
    if (test_list.count >= 256)
        abort();
    test_list.name[test_list.count] = name;
    test_list.run[test_list.count++] = run;
}

#define TEST(claim) \
    static void claim(void); \
    __attribute__((constructor)) static void add_##claim(void) { \
        test_add(#claim, claim); \
    } \
    static void claim(void)

#define CHECK(condition) \
    ((condition) \
         ? true \
         : (test_list.failures++, printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition), false))

#define FATAL(condition) \
    do { \
        if (!CHECK(condition)) \
            return; \
    } while (0)

/// |a - b| <= tolerance; prints both. NaN fails.
#define CHECK_NEAR(a, b, tolerance) \
    test_near(__FILE__, __LINE__, #a, (double)(a), (double)(b), (double)(tolerance))

#define CHECK_TEXT(text, part) test_text(__FILE__, __LINE__, text, part)

static inline bool test_near(const char *file, int line, const char *what, double a, double b,
                             double tolerance) {
    if (fabs(a - b) <= tolerance)
        return true;
    test_list.failures++;
    printf("  %s:%d: %s is %.17g, expected %.17g within %.3g (off by %.3g)\n", file, line, what, a,
           b, tolerance, fabs(a - b));
    return false;
}

/// `part` must occur in `text`.
static inline bool test_text(const char *file, int line, const char *text, const char *part) {
    if (text && strstr(text, part))
        return true;
    test_list.failures++;
    printf("  %s:%d: \"%s\" not found in \"%s\"\n", file, line, part, text ? text : "(null)");
    return false;
}

// --- reproducible random numbers (splitmix) ------------------------------------------------------
typedef struct TestRandom {
    uint64_t s;
} TestRandom;

static inline uint64_t test_random_bits(TestRandom *r) {
    uint64_t z = (r->s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Uniform in [low, high).
static inline double test_random(TestRandom *r, double low, double high) {
    return low + (high - low) * (double)(test_random_bits(r) >> 11) * 0x1p-53;
}

int main(int argc, char **argv) {
    int passed = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < test_list.count; i++) {
        if (argc > 1 && !strstr(test_list.name[i], argv[1]))
            continue;
        test_list.failures = 0;
        test_list.run[i]();
        if (test_list.failures) {
            printf("FAILED %s\n", test_list.name[i]);
            failed++;
        } else {
            passed++;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}

#endif
