// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_objects.c - the table of objects: sections, names, adding and removing

#include "scene/entries.h"

#include "base/memory.h"
#include "lithe/scene.h"
#include "test.h"

// The kind of the next section of the scene's table at or after row `*at`; moves `*at` after it.
static LitheObjectKind next_section(int32_t *at) {
    while (*at < lithe_scene_table.count &&
           lithe_scene_table.fields[*at].type != LITHE_FIELD_OBJECTS)
        ++*at;
    if (*at == lithe_scene_table.count)
        return LITHE_OBJECT_KINDS;
    return lithe_object_kind(lithe_scene_table.fields[(*at)++].key);
}

TEST(every_section_of_a_file_has_its_row_in_the_same_order) {
    int32_t at = 0;
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++)
        CHECK(next_section(&at) == (LitheObjectKind)k);
    CHECK(next_section(&at) == LITHE_OBJECT_KINDS && at == lithe_scene_table.count);
    CHECK(lithe_object_kind("ropes") == LITHE_OBJECT_KINDS);
}

TEST(rows_fit_their_defs) {
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++) {
        const LitheObjects *row = &lithe_scene_objects[k];
        const LitheEntries *file = &lithe_scene_entries[k];
        CHECK(row->section && row->word && file->fill_defaults && file->size >= row->size);
        // stored objects are checked; others add the objects they expand to
        CHECK(row->size == 0 ? file->finish != NULL : row->check || row->check_all);
        CHECK((row->copy != NULL) >= (row->release != NULL));
        // kinds that share their names form a group, numbered by the first of these kinds
        CHECK(row->names <= (LitheObjectKind)k &&
              lithe_scene_objects[row->names].names == row->names);
    }
}

TEST(all_kinds_are_added_named_and_taken_back_alike) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene != NULL);
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++) {
        const LitheObjects *row = &lithe_scene_objects[k];
        if (row->size == 0)
            continue;
        LitheObjectKind kind = (LitheObjectKind)k;
        void *entry = lithe_alloc(context, lithe_scene_entries[k].size);
        FATAL(entry != NULL);
        lithe_scene_entries[k].fill_defaults(entry);
        *(const char **)entry = "one";
        CHECK(lithe_object_add(scene, kind, entry) == 1);
        *(const char **)entry = "two";
        CHECK(lithe_object_add(scene, kind, entry) == 2 && lithe_object_count(scene, kind) == 2);
        CHECK_TEXT(lithe_object_name(scene, kind, 1), "two");
        lithe_object_truncate(scene, kind, 1);
        CHECK(lithe_object_count(scene, kind) == 1);
        // when out of memory, nothing is added
        lithe_context_fail_at(context, 1);
        CHECK(lithe_object_add(scene, kind, entry) == 0 && lithe_object_count(scene, kind) == 1);
        lithe_context_fail_at(context, 0);
        CHECK_TEXT(lithe_object_name(scene, kind, 0), "one");
        lithe_free(context, entry);
    }
    CHECK(scene->rod_count == 1 && scene->body_count == 1 && scene->control_count == 1);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

TEST(kinds_stand_in_the_order_of_their_enums) {
    const LitheTable *rod = lithe_field_find(&lithe_scene_table, "rods")->table;
    const LitheTable *section = lithe_field_find(rod, "section")->table;
    const LitheTable *shape = lithe_field_find(rod, "shape")->table;
    CHECK(lithe_field_find(section, "circle") == &section->fields[LITHE_SECTION_CIRCLE]);
    CHECK(lithe_field_find(section, "rectangle") == &section->fields[LITHE_SECTION_RECTANGLE]);
    CHECK(lithe_field_find(section, "ellipse") == &section->fields[LITHE_SECTION_ELLIPSE]);
    CHECK(lithe_field_find(section, "stiffness") == &section->fields[LITHE_SECTION_STIFFNESS]);
    CHECK(lithe_field_find(shape, "line") == &shape->fields[LITHE_SHAPE_LINE]);
    CHECK(lithe_field_find(shape, "arc") == &shape->fields[LITHE_SHAPE_ARC]);
    CHECK(lithe_field_find(shape, "ring") == &shape->fields[LITHE_SHAPE_RING]);
    CHECK(lithe_field_find(shape, "helix") == &shape->fields[LITHE_SHAPE_HELIX]);
    CHECK(lithe_field_find(shape, "catenary") == &shape->fields[LITHE_SHAPE_CATENARY]);
    CHECK(lithe_field_find(shape, "polyline") == &shape->fields[LITHE_SHAPE_POLYLINE]);
    CHECK(lithe_field_find(shape, "spline") == &shape->fields[LITHE_SHAPE_SPLINE]);
    CHECK(lithe_field_find(shape, "file") == &shape->fields[LITHE_SHAPE_FILE]);
    CHECK(lithe_field_find(shape, "overhand-knot") == &shape->fields[LITHE_SHAPE_OVERHAND_KNOT]);
    CHECK(lithe_field_find(shape, "path") == &shape->fields[LITHE_SHAPE_PATH]);
    const LitheTable *set = lithe_field_find(&lithe_scene_table, "sets")->table;
    const LitheField *last = lithe_field_find(set, "list") - LITHE_REGION_LIST;
    CHECK(lithe_field_find(set, "box") == &last[LITHE_REGION_BOX]);
    CHECK(lithe_field_find(set, "sphere") == &last[LITHE_REGION_SPHERE]);
    CHECK(lithe_field_find(set, "plane") == &last[LITHE_REGION_PLANE]);
    CHECK(lithe_field_find(set, "cylinder") == &last[LITHE_REGION_CYLINDER]);
    const LitheTable *body = lithe_field_find(&lithe_scene_table, "bodies")->table;
    const LitheTable *geom = lithe_field_find(body, "shape")->table;
    CHECK(lithe_field_find(geom, "half-space") == &geom->fields[LITHE_GEOM_HALF_SPACE]);
    CHECK(lithe_field_find(geom, "sphere") == &geom->fields[LITHE_GEOM_SPHERE]);
    CHECK(lithe_field_find(geom, "capsule") == &geom->fields[LITHE_GEOM_CAPSULE]);
    CHECK(lithe_field_find(geom, "cylinder") == &geom->fields[LITHE_GEOM_CYLINDER]);
    CHECK(lithe_field_find(geom, "box") == &geom->fields[LITHE_GEOM_BOX]);
    CHECK(lithe_field_find(geom, "ellipsoid") == &geom->fields[LITHE_GEOM_ELLIPSOID]);
    CHECK(lithe_field_find(geom, "convex") == &geom->fields[LITHE_GEOM_CONVEX_MESH]);
    CHECK(lithe_field_find(geom, "mesh") == &geom->fields[LITHE_GEOM_TRIANGLE_MESH]);
    CHECK(lithe_field_find(geom, "heightfield") == &geom->fields[LITHE_GEOM_HEIGHTFIELD]);
    CHECK(lithe_field_find(geom, "revolution") == &geom->fields[LITHE_GEOM_REVOLUTION]);
}
