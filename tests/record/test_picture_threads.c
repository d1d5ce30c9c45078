// SPDX-License-Identifier: Apache-2.0
// tests/record/test_picture_threads.c - a picture drawn by several threads; a separate program, so
// that the slow thread sanitizer need not draw all other pictures

#include "base/threads.h"
#include "record/picture.h"

#include "still.h"
#include "test.h"

TEST(same_bits_for_every_number_of_threads) {
    LitheContext *context = lithe_context_create(NULL);
    Still s;
    still_life(&s, true);
    // the sanitizers see the same accesses in a tenth of the time
    s.picture.quick = TEST_SANITIZED;
    LitheImage one;
    FATAL(lithe_picture_render(context, &s.picture, NULL, &one, NULL) == LITHE_OK);
    for (int32_t threads = 1; threads <= 3; threads++) {
        LithePool *pool = lithe_pool_create(context, threads);
        LitheImage other;
        FATAL(lithe_picture_render(context, &s.picture, pool, &other, NULL) == LITHE_OK);
        CHECK(memcmp(one.rgba, other.rgba, 4 * 96 * 60) == 0);
        lithe_image_free(context, &other);
        lithe_pool_destroy(pool);
    }
    lithe_image_free(context, &one);
    lithe_context_destroy(context);
}
