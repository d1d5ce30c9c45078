// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_reference.c - the reference page agrees with the tables of the reader
//
// With LITHE_WRITE_REFERENCE=1 in the environment the tables of the page are written again from the
// tables of scene/fields.c.

#include "all_tables.h"

#include "lithe/scene.h"

#define PAGE LITHE_SOURCE_DIR "/docs/scene-format.md"

static const char *dimension_of(const LitheField *field, char *text, size_t size) {
    if (field->wanted == LITHE_WANT_VALUE)
        return "as the profile";
    if (field->wanted == LITHE_WANT_VALUE_RATE)
        return "as the profile, per s";
    if (field->wanted == LITHE_WANT_DRIVE_SPRING)
        return "N/m; turning: N m/rad";
    if (field->wanted == LITHE_WANT_DRIVE_DASHPOT)
        return "N s/m; turning: N m s/rad";
    if (field->wanted == LITHE_WANT_JOINT_POSITION)
        return "rad; prismatic: m";
    if (field->wanted == LITHE_WANT_JOINT_SPEED)
        return "rad/s; prismatic: m/s";
    if (field->wanted == LITHE_WANT_JOINT_EFFORT)
        return "N m; prismatic: N";
    if (field->wanted == LITHE_WANT_JOINT_INERTIA)
        return "kg m^2; prismatic: kg";
    if (field->wanted == LITHE_WANT_ANYTHING)
        return "quantity";
    if (field->wanted == LITHE_WANT_TARGET)
        return "as its kind and joint say";
    const char *unit = lithe_wanted_unit(field->wanted);
    snprintf(text, size, "%s", *unit ? unit : "number");
    return text;
}

// of the heading "### section circle"
static const char *anchor_of(const LitheTable *table) {
    static char anchor[64];
    snprintf(anchor, sizeof anchor, "%s", table->name);
    for (char *c = anchor; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    return anchor;
}

static void put_value(FILE *f, const LitheField *field) {
    char buffer[64];
    const char *unit = dimension_of(field, buffer, sizeof buffer);
    switch (field->type) {
    case LITHE_FIELD_QUANTITY:
    case LITHE_FIELD_TWICE:
    case LITHE_FIELD_DIAMETER:
        fprintf(f, "%s%s", field->words ? "auto, or " : "", unit);
        break;
    case LITHE_FIELD_INTEGER:
        fprintf(f, "%swhole number", field->words ? "auto, or " : "");
        break;
    case LITHE_FIELD_FLAG:
    case LITHE_FIELD_CONVEX:
        fputs("true, false", f);
        break;
    case LITHE_FIELD_WORD:
        for (int i = 0; field->words[i]; i++)
            fprintf(f, "%s%s", i ? ", " : "", field->words[i]);
        break;
    case LITHE_FIELD_CLAMPED:
        fputs("none, start, end, both", f);
        break;
    case LITHE_FIELD_TEXT:
        fputs("text", f);
        break;
    case LITHE_FIELD_TEXTS:
        fputs("list of texts", f);
        break;
    case LITHE_FIELD_INDICES:
        fputs("list of whole numbers", f);
        break;
    case LITHE_FIELD_VECTOR:
        fprintf(f, "vector, %s", unit);
        break;
    case LITHE_FIELD_SIX:
        fprintf(f, "list of 6, %s", unit);
        break;
    case LITHE_FIELD_SCALE:
        fputs("number, or vector", f);
        break;
    case LITHE_FIELD_COLOUR:
        fputs("[name](#colours), \"#rrggbb\", or [r, g, b] from 0 to 1", f);
        break;
    case LITHE_FIELD_BITS:
        fputs("all, none, whole number, or list of them", f);
        break;
    case LITHE_FIELD_FILE:
        fputs("file name", f);
        break;
    case LITHE_FIELD_TRIANGLES:
        fputs("list of three whole numbers", f);
        break;
    case LITHE_FIELD_HEIGHTS:
        fprintf(f, "list of lists, %s", unit);
        break;
    case LITHE_FIELD_OUTLINE:
        fprintf(f, "list of pairs, %s", unit);
        break;
    case LITHE_FIELD_IGNORE:
        fputs("list of pairs of names", f);
        break;
    case LITHE_FIELD_QUAT:
        fprintf(f, "mapping [rotate](#rotate), rotation vector, %s, or quaternion", unit);
        break;
    case LITHE_FIELD_GEOMS:
    case LITHE_FIELD_PATH:
    case LITHE_FIELD_PIECES:
        fprintf(f, "list of mappings [%s](#%s)", field->table->name, anchor_of(field->table));
        break;
    case LITHE_FIELD_PAIR:
    case LITHE_FIELD_LIMITS:
        fprintf(f, "pair, %s", unit);
        break;
    case LITHE_FIELD_LIST:
        fprintf(f, "list, %s", unit);
        break;
    case LITHE_FIELD_POINTS:
        fprintf(f, "list of vectors, %s", unit);
        break;
    case LITHE_FIELD_SAMPLES:
        fputs("list of [s, value]", f);
        break;
    case LITHE_FIELD_MAPPING:
    case LITHE_FIELD_ONE_OF:
    case LITHE_FIELD_GEOM:
        fprintf(f, "mapping [%s](#%s)", field->table->name, anchor_of(field->table));
        break;
    case LITHE_FIELD_PROFILE:
    case LITHE_FIELD_STEP:
    case LITHE_FIELD_DRAG:
        fprintf(f, "%s, or mapping [%s](#%s)", unit, field->table->name, anchor_of(field->table));
        break;
    case LITHE_FIELD_ROTATE:
        fprintf(f, "mapping [rotate](#rotate), or vector, %s", unit);
        break;
    case LITHE_FIELD_PLACE:
        fputs("[place](#places)", f);
        break;
    case LITHE_FIELD_ANCHOR:
        fprintf(f, "on what, or mapping [%s](#%s)", field->table->name, anchor_of(field->table));
        break;
    case LITHE_FIELD_ANCHORS:
        fprintf(f, "list of what, or of mappings [%s](#%s)", field->table->name,
                anchor_of(field->table));
        break;
    case LITHE_FIELD_ANCHOR_ON:
        fputs("[place](#places), name, or world", f);
        break;
    case LITHE_FIELD_PARENT:
        fputs("name, or world", f);
        break;
    case LITHE_FIELD_MATERIAL:
        fputs(strcmp(field->key, "material") == 0
                  ? "name, or {from: name} of the [library](materials.md)"
                  : "name",
              f);
        break;
    case LITHE_FIELD_ROD:
    case LITHE_FIELD_THING:
    case LITHE_FIELD_BODY:
    case LITHE_FIELD_JOINT:
        fputs("name", f);
        break;
    case LITHE_FIELD_BODIES:
        fputs("name or list of names", f);
        break;
    case LITHE_FIELD_HOLD:
        fputs("word or list of words", f);
        break;
    case LITHE_FIELD_DIRECTION:
        fputs("vector, or outward", f);
        break;
    case LITHE_FIELD_GRAVITY:
        fprintf(f, "none, %s, or vector", unit);
        break;
    case LITHE_FIELD_VERSION:
        fputs("1", f);
        break;
    case LITHE_FIELD_INCLUDE:
        fputs("file name, or list of them", f);
        break;
    case LITHE_FIELD_POSITIONS:
        fprintf(f, "names with quantities, %s", unit);
        break;
    case LITHE_FIELD_REPEAT:
    case LITHE_FIELD_PARAMETERS:
        fprintf(f, "names with %s", field->type == LITHE_FIELD_REPEAT ? "counts" : "quantities");
        break;
    case LITHE_FIELD_LIBRARY:
        fputs("name in the [library](materials.md)", f);
        break;
    case LITHE_FIELD_OBJECTS:
        fprintf(f, "names with mappings [%s](#%s)", field->table->name, anchor_of(field->table));
        break;
    }
}

static void put_rows(FILE *f, const LitheTable *table) {
    if (table->count == 0) {
        fputs("\nNo keys: `{}`.\n\n", f);
        return;
    }
    fputs("\n| key | value | default | meaning |\n|---|---|---|---|\n", f);
    for (int i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        fprintf(f, "| `%s` | ", field->key);
        put_value(f, field);
        fprintf(f, " | %s | %s |\n",
                field->flags & LITHE_FIELD_REQUIRED ? "required"
                : field->preset                     ? field->preset
                                                    : "",
                field->about);
    }
    fputc('\n', f);
}

static const LitheTable *table_named(const char *name, size_t length) {
    for (int i = 0; i < table_count; i++)
        if (strlen(tables[i]->name) == length && strncmp(tables[i]->name, name, length) == 0)
            return tables[i];
    return NULL;
}

// The page with the text between "<!-- keys: NAME -->" and "<!-- end -->" regenerated.
static char *make_page(const char *page, bool *seen) {
    static const char start[] = "<!-- keys: ", end[] = "<!-- end -->";
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (const char *at = page, *mark; *at; at = mark) {
        mark = strstr(at, start);
        if (!mark) {
            fputs(at, f);
            break;
        }
        const char *name = mark + strlen(start), *close = strstr(name, " -->");
        const char *stop = strstr(mark, end);
        const LitheTable *table = close ? table_named(name, (size_t)(close - name)) : NULL;
        if (!CHECK(table != NULL && stop != NULL))
            break;
        fwrite(at, 1, (size_t)(close + 4 - at), f);
        fputc('\n', f);
        put_rows(f, table);
        for (int i = 0; i < table_count; i++)
            seen[i] = seen[i] || tables[i] == table;
        mark = stop;
    }
    fclose(f);
    return text;
}

TEST(reference_page_has_every_key_with_its_meaning) {
    collect_all();
    char *have = read_file(PAGE);
    FATAL(have != NULL);
    bool seen[128] = {0};
    char *wanted = make_page(have, seen);
    if (getenv("LITHE_WRITE_REFERENCE"))
        write_file(PAGE, wanted);
    else
        CHECK(strcmp(have, wanted) == 0);
    for (int i = 0; i < table_count; i++)
        if (!CHECK(seen[i]))
            printf("  no table for %s\n", tables[i]->name);
    free(have);
    free(wanted);
}

// Each block fenced as yaml, or as yml where it cannot be run yet, that begins with "lithe: 1" must
// load.
TEST(examples_of_the_reference_page_load) {
    char *page = read_file(PAGE);
    FATAL(page != NULL);
    int count = 0;
    for (char *at = page; (at = strstr(at, "```y"));) {
        at = strchr(at, '\n') + 1;
        char *end = strstr(at, "```");
        FATAL(end != NULL);
        if (strncmp(at, "lithe: 1", 8) == 0) {
            LitheContext *context = lithe_context_create(NULL);
            LitheScene *scene = NULL;
            LitheError error = {0};
            if (!CHECK(lithe_scene_parse(context, at, (size_t)(end - at), "example", NULL, NULL, 0,
                                         &scene, &error) == LITHE_OK))
                printf("  %s\n", error.text);
            lithe_scene_destroy(scene);
            lithe_context_destroy(context);
            count++;
        }
        at = end + 3;
    }
    CHECK(count >= 4);
    free(page);
}
