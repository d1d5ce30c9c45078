// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_schema.c - the JSON schema agrees with the tables of the reader
//
// With LITHE_WRITE_REFERENCE=1 in the environment the schema is written again from the tables of
// scene/fields.c.

#include "all_tables.h"
#include "geom/geom_keys.h"
#include "lithe/library.h"
#include "scene/objects.h"

#define SCHEMA LITHE_SOURCE_DIR "/docs/lithe-scene.schema.json"
#define NAME_PATTERN "^[A-Za-z][A-Za-z0-9_-]*$"
#define PARTED_PATTERN "^[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z0-9_-]+)*$"

static bool has_parts(const LitheField *section) {
    return !(lithe_scene_objects[lithe_object_kind(section->key)].flags & LITHE_OBJECTS_WHOLE);
}

// "section circle" is named section-circle there
static void put_reference(FILE *f, const LitheTable *table) {
    fprintf(f, "{\"$ref\": \"#/$defs/");
    for (const char *c = table->name; *c; c++)
        fputc(*c == ' ' ? '-' : *c, f);
    fprintf(f, "\"}");
}

static void put_words(FILE *f, const char *const *words) {
    fprintf(f, "{\"enum\": [");
    for (int i = 0; words[i]; i++) {
        bool plain = strcmp(words[i], "true") == 0 || strcmp(words[i], "false") == 0;
        fprintf(f, plain ? "%s%s" : "%s\"%s\"", i ? ", " : "", words[i]);
    }
    fprintf(f, "]}");
}

// the names of the library of one kind
static void put_entries(FILE *f, LitheLibraryKind kind) {
    const char *comma = "";
    fprintf(f, "{\"enum\": [");
    for (int32_t i = 0; i < lithe_library_count(); i++) {
        LitheLibraryEntry entry = lithe_library_at(i);
        if (entry.kind != kind)
            continue;
        fprintf(f, "%s\"%s\"", comma, entry.name);
        comma = ", ";
    }
    fprintf(f, "]}");
}

static void put_type(FILE *f, const LitheField *field) {
    static const char quantity[] = "{\"$ref\": \"#/$defs/quantity\"}";
    static const char vector[] = "{\"$ref\": \"#/$defs/vector\"}";
    switch (field->type) {
    case LITHE_FIELD_QUANTITY:
    case LITHE_FIELD_TWICE:
    case LITHE_FIELD_DIAMETER:
        fputs(quantity, f);
        break;
    case LITHE_FIELD_INTEGER:
        fputs("{\"type\": [\"integer\", \"string\"]}", f);
        break;
    case LITHE_FIELD_FLAG:
    case LITHE_FIELD_CONVEX:
        fputs("{\"type\": \"boolean\"}", f);
        break;
    case LITHE_FIELD_WORD:
        put_words(f, field->words);
        break;
    case LITHE_FIELD_CLAMPED:
        put_words(f, lithe_clamped_words);
        break;
    case LITHE_FIELD_TEXT:
    case LITHE_FIELD_PLACE:
    case LITHE_FIELD_ROD:
    case LITHE_FIELD_BODY:
    case LITHE_FIELD_PARENT:
    case LITHE_FIELD_JOINT:
    case LITHE_FIELD_FILE:
    case LITHE_FIELD_THING:
    case LITHE_FIELD_ANCHOR_ON:
        fputs("{\"type\": \"string\"}", f);
        break;
    case LITHE_FIELD_MATERIAL:
        if (strcmp(field->key, "material") != 0) { // of a pair
            fputs("{\"type\": \"string\"}", f);
            break;
        }
        fputs("{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"object\", "
              "\"additionalProperties\": false, \"required\": [\"from\"], \"properties\": "
              "{\"from\": ",
              f);
        put_entries(f, LITHE_LIBRARY_MATERIAL);
        fputs("}}]}", f);
        break;
    case LITHE_FIELD_LIBRARY:
        put_entries(f, (LitheLibraryKind)field->also);
        break;
    case LITHE_FIELD_TEXTS:
        fputs("{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", f);
        break;
    case LITHE_FIELD_BODIES:
        fprintf(f,
                "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
                "\"string\"}, \"minItems\": 1, \"maxItems\": %d}]}",
                1 + LITHE_PLAN_MORE_DISKS);
        break;
    case LITHE_FIELD_INDICES:
        fputs("{\"type\": \"array\", \"items\": {\"type\": [\"integer\", \"string\"]}}", f);
        break;
    case LITHE_FIELD_VECTOR:
        fputs(vector, f);
        break;
    case LITHE_FIELD_SIX:
        fprintf(f, "{\"type\": \"array\", \"items\": %s, \"minItems\": 6, \"maxItems\": 6}",
                quantity);
        break;
    case LITHE_FIELD_PAIR:
    case LITHE_FIELD_LIMITS:
        fprintf(f, "{\"type\": \"array\", \"items\": %s, \"minItems\": 2, \"maxItems\": 2}",
                quantity);
        break;
    case LITHE_FIELD_LIST:
        fprintf(
            f,
            "{\"anyOf\": [{\"type\": \"array\", \"items\": %s, \"minItems\": 1}, {\"type\": "
            "\"object\", \"additionalProperties\": false, \"required\": [\"repeat\", "
            "\"value\"], \"properties\": {\"repeat\": {\"type\": \"object\"}, \"value\": %s}}]}",
            quantity, quantity);
        break;
    case LITHE_FIELD_POINTS:
        fprintf(f, "{\"type\": \"array\", \"items\": %s}", vector);
        break;
    case LITHE_FIELD_SAMPLES:
        fprintf(f,
                "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
                "\"items\": %s, \"minItems\": 2, \"maxItems\": 2}}",
                quantity);
        break;
    case LITHE_FIELD_OUTLINE:
        fprintf(f,
                "{\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": \"array\", "
                "\"items\": %s, \"minItems\": 2, \"maxItems\": 2}}",
                quantity);
        break;
    case LITHE_FIELD_HEIGHTS:
        fprintf(f,
                "{\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": \"array\", "
                "\"items\": %s, \"minItems\": 2}}",
                quantity);
        break;
    case LITHE_FIELD_TRIANGLES:
        fputs("{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"items\": "
              "{\"type\": [\"integer\", \"string\"]}, \"minItems\": 3, \"maxItems\": 3}}",
              f);
        break;
    case LITHE_FIELD_IGNORE:
        fputs("{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"array\", \"items\": "
              "{\"type\": \"string\"}, \"minItems\": 2, \"maxItems\": 2}}",
              f);
        break;
    case LITHE_FIELD_BITS:
        fprintf(f,
                "{\"anyOf\": [{\"enum\": [\"all\", \"none\"]}, %s, {\"type\": \"array\", "
                "\"items\": %s}]}",
                quantity, quantity);
        break;
    case LITHE_FIELD_SCALE:
        fprintf(f, "{\"anyOf\": [%s, %s]}", quantity, vector);
        break;
    case LITHE_FIELD_COLOUR:
        fprintf(f, "{\"anyOf\": [{\"type\": \"string\"}, %s]}", vector);
        break;
    case LITHE_FIELD_QUAT:
        fprintf(f,
                "{\"anyOf\": [{\"type\": \"array\", \"items\": %s, \"minItems\": 3, "
                "\"maxItems\": 4}, ",
                quantity);
        put_reference(f, field->table);
        fputs("]}", f);
        break;
    case LITHE_FIELD_GEOMS:
    case LITHE_FIELD_PATH:
    case LITHE_FIELD_PIECES:
        fputs("{\"type\": \"array\", \"items\": ", f);
        put_reference(f, field->table);
        fputs("}", f);
        break;
    case LITHE_FIELD_MAPPING:
    case LITHE_FIELD_ONE_OF:
    case LITHE_FIELD_GEOM:
        put_reference(f, field->table);
        break;
    case LITHE_FIELD_PROFILE:
    case LITHE_FIELD_STEP:
    case LITHE_FIELD_DRAG:
    case LITHE_FIELD_ROTATE:
        fprintf(f, "{\"anyOf\": [%s, ", field->type == LITHE_FIELD_ROTATE ? vector : quantity);
        put_reference(f, field->table);
        fputs("]}", f);
        break;
    case LITHE_FIELD_ANCHOR:
        fputs("{\"anyOf\": [{\"type\": \"string\"}, ", f);
        put_reference(f, field->table);
        fputs("]}", f);
        break;
    case LITHE_FIELD_ANCHORS:
        fputs("{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, ", f);
        put_reference(f, field->table);
        fputs("]}}", f);
        break;
    case LITHE_FIELD_HOLD:
        fputs("{\"anyOf\": [", f);
        put_words(f, lithe_hold_words);
        fputs(", {\"type\": \"array\", \"minItems\": 1, \"items\": ", f);
        put_words(f, lithe_hold_words);
        fputs("}]}", f);
        break;
    case LITHE_FIELD_DIRECTION:
        fprintf(f, "{\"anyOf\": [{\"const\": \"outward\"}, %s]}", vector);
        break;
    case LITHE_FIELD_GRAVITY:
        fprintf(f, "{\"anyOf\": [{\"const\": \"none\"}, %s, %s]}", quantity, vector);
        break;
    case LITHE_FIELD_VERSION:
        fputs("{\"const\": 1}", f);
        break;
    case LITHE_FIELD_INCLUDE:
        fputs("{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
              "\"string\"}}]}",
              f);
        break;
    case LITHE_FIELD_PARAMETERS:
    case LITHE_FIELD_POSITIONS:
    case LITHE_FIELD_REPEAT:
        fprintf(f, "{\"type\": \"object\", \"additionalProperties\": %s}", quantity);
        break;
    case LITHE_FIELD_OBJECTS:
        fprintf(f, "{\"type\": [\"object\", \"null\"], \"patternProperties\": {\"%s\": ",
                has_parts(field) ? PARTED_PATTERN : NAME_PATTERN);
        put_reference(f, field->table);
        fputs("}, \"additionalProperties\": false}", f);
        break;
    }
}

// a text of JSON: quotes and backslashes are escaped
static void put_text(FILE *f, const char *text) {
    fputc('"', f);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', f);
        fputc(*c, f);
    }
    fputc('"', f);
}

static bool is_number(const LitheField *field) {
    return field->type == LITHE_FIELD_QUANTITY || field->type == LITHE_FIELD_DIAMETER;
}

// whether `other` is another key of the number that `field` sets: radius and diameter
static bool is_other_key(const LitheField *field, const LitheField *other) {
    return other != field && is_number(field) && is_number(other) &&
           (other->flags & LITHE_FIELD_SHORTHAND) && other->offset == field->offset;
}

static bool has_other_key(const LitheTable *table, const LitheField *field) {
    for (int i = 0; i < table->count; i++)
        if (is_other_key(field, &table->fields[i]))
            return true;
    return false;
}

static void put_keys(FILE *f, const LitheTable *table, const char *indent) {
    fprintf(f, "%s\"required\": [", indent);
    const char *comma = "";
    for (int i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        if (!(field->flags & LITHE_FIELD_REQUIRED) || has_other_key(table, field))
            continue;
        fprintf(f, "%s\"%s\"", comma, field->key);
        comma = ", ";
    }
    fputs("],\n", f);
    int32_t groups = 0;
    for (int i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        if (!(field->flags & LITHE_FIELD_REQUIRED) || !has_other_key(table, field))
            continue;
        if (groups++ > 0)
            fputs(", ", f);
        else
            fprintf(f, "%s\"allOf\": [", indent);
        fprintf(f, "{\"oneOf\": [{\"required\": [\"%s\"]}", field->key);
        for (int k = 0; k < table->count; k++)
            if (is_other_key(field, &table->fields[k]))
                fprintf(f, ", {\"required\": [\"%s\"]}", table->fields[k].key);
        fputs("]}", f);
    }
    if (groups > 0)
        fputs("],\n", f);
}

// the keys that are required; where a key has other names, exactly one of them. An entry of the
// library has what is required, or the reader refuses it.
static void put_required(FILE *f, const LitheTable *table, const char *indent) {
    for (int i = 0; i < table->count; i++)
        if (table->fields[i].type == LITHE_FIELD_LIBRARY) {
            fprintf(f, "%s\"if\": {\"not\": {\"required\": [\"%s\"]}},\n%s\"then\": {\n", indent,
                    table->fields[i].key, indent);
            put_keys(f, table, indent);
            fprintf(f, "%s\"type\": \"object\"},\n", indent);
            return;
        }
    // without a joint an entry changes an actuator that is there
    if (table == &lithe_actuator_table) {
        fprintf(f, "%s\"dependentRequired\": {\"joint\": [\"kind\"]},\n", indent);
        return;
    }
    put_keys(f, table, indent);
}

static void put_table(FILE *f, const LitheTable *table, const char *indent) {
    bool one_of = strcmp(table->name, "section") == 0 || strcmp(table->name, "shape") == 0 ||
                  strcmp(table->name, "mesh") == 0;
    fprintf(f, "%s\"type\": \"object\",\n%s\"additionalProperties\": false,\n", indent, indent);
    if (one_of)
        fprintf(f, "%s\"minProperties\": 1,\n%s\"maxProperties\": 1,\n", indent, indent);
    if (strcmp(table->name, "body shape") == 0) {
        fprintf(f, "%s\"oneOf\": [", indent);
        for (int i = 0; i < LITHE_GEOM_KINDS; i++)
            fprintf(f, "%s{\"required\": [\"%s\"]}", i ? ", " : "", table->fields[i].key);
        fputs("],\n", f);
    }
    put_required(f, table, indent);
    fprintf(f, "%s\"properties\": {\n", indent);
    for (int i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        fprintf(f, "%s  \"%s\": {\"description\": ", indent, field->key);
        put_text(f, field->about);
        fputs(", \"allOf\": [", f);
        put_type(f, field);
        fprintf(f, "]}%s\n", i + 1 < table->count ? "," : "");
    }
    fprintf(f, "%s}", indent);
}

static char *make_schema(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
          "  \"title\": \"Lithe scene\",\n",
          f);
    put_table(f, tables[0], "  ");
    fputs(",\n  \"$defs\": {\n"
          "    \"quantity\": {\"description\": \"a number in SI units, or a text like 2 mm or "
          "2*r + 1 mm\", \"type\": [\"number\", \"string\"]},\n"
          "    \"vector\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/quantity\"}, "
          "\"minItems\": 3, \"maxItems\": 3}",
          f);
    for (int i = 1; i < table_count; i++) {
        fputs(",\n    \"", f);
        for (const char *c = tables[i]->name; *c; c++)
            fputc(*c == ' ' ? '-' : *c, f);
        fputs("\": {\n", f);
        put_table(f, tables[i], "      ");
        fputs("\n    }", f);
    }
    fputs("\n  }\n}\n", f);
    fclose(f);
    return text;
}

TEST(schema_is_what_the_reader_accepts) {
    collect_all();
    char *wanted = make_schema();
    if (getenv("LITHE_WRITE_REFERENCE"))
        write_file(SCHEMA, wanted);
    char *have = read_file(SCHEMA);
    FATAL(have != NULL);
    CHECK(strcmp(have, wanted) == 0);
    free(have);
    free(wanted);
}
