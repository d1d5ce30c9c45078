// SPDX-License-Identifier: Apache-2.0
// base/assert.h - for bugs of ours and misuse of the API only; bad input gets a status

#ifndef LITHE_BASE_ASSERT_H
#define LITHE_BASE_ASSERT_H

void lithe_assert_failed(const char *condition, const char *file, int line);

#define LITHE_ASSERT(condition) \
    ((condition) ? (void)0 : lithe_assert_failed(#condition, __FILE__, __LINE__))

#endif
