// SPDX-License-Identifier: Apache-2.0
// data/names.c - things of a model by their names

#include "data/model.h"

#include <string.h>

LitheRodId lithe_rod_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->rod_count; i++)
        if (strcmp(model->rods[i].name, name) == 0)
            return (LitheRodId){i + 1};
    return (LitheRodId){0};
}

LitheBodyId lithe_body_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->body_count; i++)
        if (strcmp(model->bodies[i].name, name) == 0)
            return (LitheBodyId){i + 1};
    return (LitheBodyId){0};
}
