// SPDX-License-Identifier: Apache-2.0
// tests/test.h - the whole test framework: TEST(claim) { CHECK(..); }, one main per file
//
// A test's name is a claim. A failed CHECK marks the test as failed and continues; FATAL ends it.
// Each program ends with a line "N passed, M failed". An argument, or LITHE_TESTS in the
// environment, runs only the tests whose name contains it. LITHE_TEST_TIMES in the environment
// prints the processor time of every test.

#ifndef LITHE_TEST_H
#define LITHE_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A sanitizer makes a program some ten times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#else
#define TEST_SANITIZED 0
#endif

typedef void TestFn(void);

static struct {
    const char *name[256];
    TestFn *run[256];
    bool is_long[256];
    int count;
    int failures; // of the running test
} test_list;

static inline void test_add(const char *name, TestFn *run, bool is_long) {
    if (test_list.count >= 256)
        abort();
    test_list.name[test_list.count] = name;
    test_list.is_long[test_list.count] = is_long;
    test_list.run[test_list.count++] = run;
}

#define TEST_ADD(claim, is_long) \
    static void claim(void); \
    __attribute__((constructor)) static void add_##claim(void) { \
        test_add(#claim, claim, is_long); \
    } \
    static void claim(void)

#define TEST(claim) TEST_ADD(claim, false)

/// A long numerical study. Under a sanitizer only its first seconds run, which touch the same
/// memory as the rest. The program names the tests that were cut off.
#define LONG_TEST(claim) TEST_ADD(claim, true)

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

// --- the program ---------------------------------------------------------------------------------
// of base/threads.h; a program without the library does not have it
extern void lithe_set_fork_cost(double cost) __attribute__((weak));

#if TEST_SANITIZED
// of processor time; races show later than errors in memory do
#ifndef TEST_LONG_SECONDS
#ifdef __SANITIZE_THREAD__
#define TEST_LONG_SECONDS 5
#else
#define TEST_LONG_SECONDS 1
#endif
#endif

// Runs a long test in a process of its own, which the system ends at the limit; true: it was cut.
static inline bool test_run_cut(TestFn *run) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_CPU, &(struct rlimit){TEST_LONG_SECONDS, TEST_LONG_SECONDS + 20});
        run();
        exit(test_list.failures > 0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = -1;
    bool cut = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    test_list.failures += !cut && status != 0;
    return cut;
}
#else
static inline bool test_run_cut(TestFn *run) {
    run();
    return false;
}
#endif

int main(int argc, char **argv) {
    int passed = 0, failed = 0;
    const char *part = argc > 1 ? argv[1] : getenv("LITHE_TESTS");
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (lithe_set_fork_cost)
        lithe_set_fork_cost(0); // worlds of tests are small: threads share every job all the same
    for (int i = 0; i < test_list.count; i++) {
        if (part && !strstr(test_list.name[i], part))
            continue;
        test_list.failures = 0;
        clock_t began = clock();
        if (!test_list.is_long[i])
            test_list.run[i]();
        else if (test_run_cut(test_list.run[i]))
            printf("skipped the rest of %s: long under a sanitizer\n", test_list.name[i]);
        if (getenv("LITHE_TEST_TIMES"))
            printf("%8.3f s %s\n", (double)(clock() - began) / CLOCKS_PER_SEC, test_list.name[i]);
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
