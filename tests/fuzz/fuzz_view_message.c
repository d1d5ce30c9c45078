// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_view_message.c - any bytes as a message of a page, and as the heads of a request

#include "view/guard.h"
#include "view/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_message(const LitheViewMessage *m) {
    demand(isfinite(m->value) && m->count >= 1 && m->every >= 1, "numbers");
    for (int k = 0; k < 3; k++)
        demand(fabs(m->at[k]) <= 1e9 && fabs(m->to[k]) <= 1e9, "a place");
    demand(m->rod >= -1 && m->node >= -1 && m->body >= -1, "an index");
    demand(memchr(m->key, '\0', sizeof m->key) != NULL, "a key without an end");
    if (m->request == LITHE_REQUEST_GRAB)
        demand((m->body >= 0) != (m->rod >= 0 && m->node >= 0), "what is grabbed");
    if (m->request == LITHE_REQUEST_FRAMES)
        demand(m->from >= 0 && m->last >= m->from, "frames");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // exactly of its length, so that reading beyond the end is detected
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    char *tight = malloc(size > 0 ? size : 1);
    if (tight && size > 0)
        memcpy(tight, data, size);
    LitheViewMessage message;
    LitheError error = {0};
    bool broken = false;
    LitheStatus status =
        tight ? lithe_view_message_parse(tight, size, &message, &broken, &error) : LITHE_BAD_INPUT;
    if (status == LITHE_OK)
        check_message(&message);
    else
        demand(status == LITHE_BAD_INPUT && (!tight || error.text[0]), "no message");

    // an accepted name consists of digits, dots, colons, brackets or localhost
    bool passes = lithe_view_host_passes(text, false);
    if (passes)
        demand(strspn(text, "0123456789abcdefABCDEF.:[]locahstLOCAHST") == strlen(text), "a host");
    demand(!lithe_view_host_passes(text, true) || passes, "loopback");
    demand(!lithe_view_token_passes(text, "0123456789abcdef0123456789abcdef") ||
               strcmp(text, "token=0123456789abcdef0123456789abcdef") == 0,
           "a token");
    lithe_view_origin_passes(text, "127.0.0.1:80");
    free(tight);
    free(text);
    return 0;
}
