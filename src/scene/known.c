// SPDX-License-Identifier: Apache-2.0
// scene/known.c - suggestions for unknown names

#include "base/suggest.h"
#include "scene/fields.h"

#include <stdio.h>
#include <string.h>

// what papers and other programs call a key, and its name here
static const char *const other_names[][2] = {
    {"E", "young"},
    {"young_modulus", "young"},
    {"youngs_modulus", "young"},
    {"modulus", "young"},
    {"nu", "poisson"},
    {"poisson_ratio", "poisson"},
    {"G", "shear"},
    {"shear_modulus", "shear"},
    {"rho", "density"},
    {"mu", "friction"},
    {"d", "diameter"},
    {"r", "radius"},
    {"plane", "half-space"},
    {"ground", "half-space"},
    {"floor", "half-space"},
    {"ball", "sphere"},
    {"cube", "box"},
    {"pipe", "tube"},
    {"ring", "torus"},
    {"donut", "torus"},
    {"hull", "convex"},
    {"terrain", "heightfield"},
    {"hfield", "heightfield"},
    {"lathe", "revolution"},
    {"position", "at"},
    {"pos", "at"},
    {"origin", "at"},
    {"rotation", "rotate"},
    {"orientation", "rotate"},
    {"quat", "rotate"},
    {"euler", "rotate"},
    {"static", "fixed"},
    {"kinematic", "fixed"},
    {"type", "kind"},
    {"dt", "step"},
    {"timestep", "step"},
    {"duration", "end"},
    {"integrator", "scheme"},
    {"segments", "nodes"},
    {"links", "robots"},
    {"boundary", "holds"},
    {"loads", "forces"},
    {"motors", "actuators"},
    {"equality", "constraints"},
    {"torque", "moment"},
};

const char *lithe_meant_key(const char *wrong, const LitheTable *table) {
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i][0], wrong) == 0 && lithe_field_find(table, other_names[i][1]))
            return other_names[i][1];
    const char *keys[32];
    int32_t count = 0;
    for (; count < table->count && count < 32; count++)
        keys[count] = table->fields[count].key;
    return lithe_suggest(wrong, keys, count);
}

void lithe_known_key_text(const char *wrong, const LitheTable *table, char *text, size_t size) {
    const char *keys[32], *meant = lithe_meant_key(wrong, table);
    int32_t count = 0;
    size_t at = strlen(text);
    if (meant) {
        snprintf(text + at, size - at, "; did you mean %s?", meant);
        return;
    }
    if (table->count == 0) {
        snprintf(text + at, size - at, ", which has no keys");
        return;
    }
    for (; count < table->count && count < 32; count++)
        keys[count] = table->fields[count].key;
    lithe_known_text(wrong, keys, count, text, size);
}

void lithe_known_word_text(const char *wrong, const char *const *words, char *text, size_t size) {
    int32_t count = 0;
    while (words[count])
        count++;
    lithe_known_text(wrong, words, count, text, size);
}
