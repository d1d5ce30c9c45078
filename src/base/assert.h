// SPDX-License-Identifier: Apache-2.0
// base/assert.h - assertions: only for bugs of this library and misuse of its API; bad input
// returns a status

#ifndef LITHE_BASE_ASSERT_H
#define LITHE_BASE_ASSERT_H

void lithe_assert_failed(const char *condition, const char *file, int line);

#define LITHE_ASSERT(condition) \
    ((condition) ? (void)0 : lithe_assert_failed(#condition, __FILE__, __LINE__))

#endif
