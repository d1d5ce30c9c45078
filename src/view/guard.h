// SPDX-License-Identifier: Apache-2.0
// view/guard.h - access control: hosts, origins and tokens of requests, all untrusted texts

#ifndef LITHE_VIEW_GUARD_H
#define LITHE_VIEW_GUARD_H

#include "lithe/base.h"

enum { LITHE_VIEW_TOKEN_CAPACITY = 33 }; // 128 bits as hex digits

/// A fresh random token; false when the system has no random numbers.
bool lithe_view_token(char token[LITHE_VIEW_TOKEN_CAPACITY]);

/// Whether a `Host` header is an IP address or localhost. Other names are refused, as a protection
/// against DNS rebinding. With `loopback` only 127.x.x.x, ::1 and localhost are accepted.
bool lithe_view_host_passes(const char *host, bool loopback);

/// Whether an `Origin` header is that of this host and port; NULL (no browser) is accepted.
bool lithe_view_origin_passes(const char *origin, const char *host);

/// Whether a query such as "token=0123" or "token=0123&run=1" has this token; takes constant time.
bool lithe_view_token_passes(const char *query, const char *token);

/// Whether a query that has passed requests the second of two recordings.
bool lithe_view_second_requested(const char *query);

#endif
