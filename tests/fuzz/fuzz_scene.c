// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_scene.c - any bytes as a scene: a message or a scene that survives being written

#include "lithe/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what, const char *detail) {
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL, *again = NULL;
    LitheError error = {0};
    LitheStatus status = lithe_scene_parse(context, (const char *)data, size, "fuzz.yaml", NULL,
                                           NULL, 0, &scene, &error);
    if (status == LITHE_OK) {
        char *first = NULL, *second = NULL;
        demand(lithe_scene_write(scene, &first, &error) == LITHE_OK, "write", error.text);
        demand(lithe_scene_parse(context, first, strlen(first), "written.yaml", NULL, NULL, 0,
                                 &again, &error) == LITHE_OK,
               "parse again", error.text);
        demand(lithe_scene_write(again, &second, &error) == LITHE_OK, "write again", error.text);
        demand(strcmp(first, second) == 0, "not the same", second);
        lithe_text_free(context, first);
        lithe_text_free(context, second);
    } else {
        demand(status == LITHE_BAD_INPUT, "status", lithe_status_name(status));
        demand(error.text[0] != '\0' && error.status == status, "message", error.text);
    }
    lithe_scene_destroy(scene);
    lithe_scene_destroy(again);
    demand(lithe_context_bytes(context) == 0, "memory", "left over");
    lithe_context_destroy(context);
    return 0;
}
