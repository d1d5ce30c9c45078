// SPDX-License-Identifier: Apache-2.0
// scene/library.c - the library of materials, ropes, cables and hoses: finding and reading entries

#include "scene/library.h"

#include "base/suggest.h"
#include "scene/fields.h"

#include <stdio.h>
#include <string.h>

enum { SUGGESTIONS = 3, MAX_ENTRIES = 256 };

static const struct {
    const char *key, *unit;
} keys[] = {
    [LITHE_LIB_YOUNG] = {"young", "Pa"},
    [LITHE_LIB_POISSON] = {"poisson", ""},
    [LITHE_LIB_SHEAR] = {"shear", "Pa"},
    [LITHE_LIB_DENSITY] = {"density", "kg/m^3"},
    [LITHE_LIB_YIELD] = {"yield", "Pa"},
    [LITHE_LIB_EA] = {"EA", "N"},
    [LITHE_LIB_EI] = {"EI", "N m^2"},
    [LITHE_LIB_GJ] = {"GJ", "N m^2"},
    [LITHE_LIB_MASS] = {"mass-per-length", "kg/m"},
    [LITHE_LIB_RADIUS] = {"radius", "m"},
};

int32_t lithe_library_count(void) {
    return lithe_library_size;
}

LitheLibraryEntry lithe_library_at(int32_t index) {
    const LitheLibraryRow *row = &lithe_library_rows[index];
    LitheLibraryEntry entry = {.name = row->name, .about = row->about, .kind = row->kind};
    while (entry.value_count < LITHE_LIBRARY_VALUES && row->values[entry.value_count].source) {
        const LitheLibraryNumber *from = &row->values[entry.value_count];
        double high = from->high > 0 ? from->high : from->low;
        entry.values[entry.value_count++] = (LitheLibraryValue){
            keys[from->key].key, keys[from->key].unit, 0.5 * (from->low + high), from->low, high,
            from->source};
    }
    return entry;
}

int32_t lithe_library_find(const char *name) {
    for (int32_t i = 0; i < lithe_library_size; i++)
        if (strcmp(lithe_library_rows[i].name, name) == 0)
            return i;
    return -1;
}

const char *lithe_library_meant(const char *wrong, int kind, char *text, size_t size) {
    const char *names[MAX_ENTRIES] = {NULL}, *meant[SUGGESTIONS];
    int32_t count = 0;
    for (int32_t i = 0; i < lithe_library_size; i++)
        if (kind < 0 || (int)lithe_library_rows[i].kind == kind)
            names[count++] = lithe_library_rows[i].name;
    int32_t near = lithe_suggest_several(wrong, names, count, meant, SUGGESTIONS), found = near;
    // then names of which one has the other in it, and grades of the nearest: steel-s235
    size_t length = near > 0 ? strlen(meant[0]) : 0;
    for (int32_t i = 0; i < count && found < SUGGESTIONS; i++) {
        bool kin = length > 0 && strncmp(names[i], meant[0], length) == 0;
        bool has = strlen(wrong) > 2 && (strstr(names[i], wrong) || strstr(wrong, names[i]));
        bool listed = false;
        for (int32_t k = 0; k < found; k++)
            listed = listed || meant[k] == names[i];
        if ((kin || has) && !listed)
            meant[found++] = names[i];
    }
    size_t at = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < found && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", meant[i]);
    return text;
}

void lithe_library_apply(int32_t index, const LitheTable *table, void *base, uint32_t *given) {
    LitheLibraryEntry entry = lithe_library_at(index);
    for (int32_t i = 0; i < entry.value_count; i++) {
        const LitheField *field = lithe_field_find(table, entry.values[i].key);
        *(double *)((char *)base + field->offset) = entry.values[i].value;
        if (field->type == LITHE_FIELD_TWICE)
            *(double *)((char *)base + field->also) = entry.values[i].value;
        *given |= 1u << (field - table->fields);
    }
}

static bool apply(const char *name, LitheLibraryKind kind, const LitheTable *table, void *base) {
    int32_t index = lithe_library_find(name);
    uint32_t given = 0;
    if (index < 0 || lithe_library_rows[index].kind != kind)
        return false;
    lithe_library_apply(index, table, base, &given);
    return true;
}

bool lithe_library_material(const char *name, LitheMaterialDef *def) {
    return apply(name, LITHE_LIBRARY_MATERIAL, &lithe_material_table, def);
}

bool lithe_library_section(const char *name, LitheSectionDef *def) {
    const LitheTable *table = lithe_section_table.fields[LITHE_SECTION_STIFFNESS].table;
    if (!apply(name, LITHE_LIBRARY_LINE, table, def))
        return false;
    def->kind = LITHE_SECTION_STIFFNESS;
    return true;
}
