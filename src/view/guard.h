// SPDX-License-Identifier: Apache-2.0
// view/guard.h - who may look: hosts, origins and tokens of requests, all untrusted texts

#ifndef LITHE_VIEW_GUARD_H
#define LITHE_VIEW_GUARD_H

#include "lithe/base.h"

enum { LITHE_VIEW_TOKEN_ROOM = 33 }; // 128 bits as hex digits

/// A fresh random token; false when the system has no random numbers.
bool lithe_view_token(char token[LITHE_VIEW_TOKEN_ROOM]);

/// Whether a `Host` header names this server by a number or as localhost: a name that someone
/// else's DNS made to point here never passes. With `loopback` only 127.x.x.x, ::1 and localhost.
bool lithe_view_host_passes(const char *host, bool loopback);

/// Whether an `Origin` header is that of the page from this very host and port; NULL (no browser)
/// passes.
bool lithe_view_origin_passes(const char *origin, const char *host);

/// Whether a query such as "token=0123" holds this token; takes the same time for all wrong ones.
bool lithe_view_token_passes(const char *query, const char *token);

#endif
