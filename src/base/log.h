// SPDX-License-Identifier: Apache-2.0
// base/log.h - one line to the context's log callback

#ifndef LITHE_BASE_LOG_H
#define LITHE_BASE_LOG_H

#include "lithe/base.h"

void lithe_log(LitheContext *context, LitheLogLevel level, const char *format, ...)
    LITHE_PRINTF(3, 4);

#endif
