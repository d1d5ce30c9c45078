// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_library.c - the library of materials, ropes, cables and hoses; `from` in scenes
//
// With LITHE_WRITE_REFERENCE=1 in the environment the tables of docs/materials.md are written
// again.

#include "all_tables.h" // read_file, write_file

#include "lithe/library.h"
#include "scene/library.h"

#define PAGE LITHE_SOURCE_DIR "/docs/materials.md"

static int32_t count_of(LitheLibraryKind kind) {
    int32_t count = 0;
    for (int32_t i = 0; i < lithe_library_count(); i++)
        count += lithe_library_at(i).kind == kind;
    return count;
}

TEST(every_value_has_a_source_a_key_and_an_order_of_size) {
    CHECK(count_of(LITHE_LIBRARY_MATERIAL) >= 30);
    CHECK(count_of(LITHE_LIBRARY_LINE) >= 3);
    for (int32_t i = 0; i < lithe_library_count(); i++) {
        LitheLibraryEntry e = lithe_library_at(i);
        bool line = e.kind == LITHE_LIBRARY_LINE;
        const LitheTable *table = line ? lithe_section_table.fields[LITHE_SECTION_STIFFNESS].table
                                       : &lithe_material_table;
        CHECK(lithe_library_find(e.name) == i); // no name twice
        CHECK(strlen(e.about) > 5 && e.value_count > 0);
        int32_t required = 0;
        for (int32_t k = 0; k < e.value_count; k++) {
            const LitheLibraryValue *v = &e.values[k];
            const LitheField *field = lithe_field_find(table, v->key);
            if (!CHECK(field != NULL && strlen(v->source) > 10))
                printf("  %s: %s\n", e.name, v->key);
            CHECK(strcmp(v->unit, lithe_wanted_unit(field->wanted)) == 0);
            CHECK(v->low > 0 && v->low <= v->value && v->value <= v->high && v->high < 10 * v->low);
            required += (field->flags & LITHE_FIELD_REQUIRED) != 0;
        }
        // a line has everything that a rod needs, and its bending stiffness
        CHECK(!line || required == 3);
    }
}

static LitheScene *parsed(LitheContext *context, const char *text, LitheError *error) {
    LitheScene *scene = NULL;
    lithe_scene_parse(context, text, strlen(text), "scene.yaml", NULL, NULL, 0, &scene, error);
    return scene;
}

TEST(own_keys_replace_values_of_the_library) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LitheScene *scene = parsed(context,
                               "lithe: 1\ntime: {step: 1 ms, end: 1 s}\n"
                               "materials:\n"
                               "  a: {from: steel-s235}\n"
                               "  b: {E: 200 GPa, from: steel-s235, friction: 0.2}\n"
                               "  c: {from: nylon-66, yield: 40 MPa}\n"
                               "rods:\n"
                               "  r: {section: {stiffness: {from: model-power-cable, EI1: 2e-3, "
                               "GJ: 1e-3}}, shape: {line: {to: [1, 0, 0]}}}\n",
                               &error);
    FATAL(scene != NULL);
    CHECK(scene->materials[0].young == 210e9 && scene->materials[0].yield == 235e6);
    CHECK(scene->materials[0].poisson == 0.3 && scene->materials[0].density == 7850);
    CHECK(scene->materials[1].young == 200e9 && scene->materials[1].friction == 0.2);
    CHECK(scene->materials[1].yield == 235e6);
    // the middle of a range
    CHECK_NEAR(scene->materials[2].young, 0.5 * (1.59e9 + 3.79e9), 1);
    CHECK(scene->materials[2].yield == 40e6);
    const LitheSectionDef *s = &scene->rods[0].section;
    CHECK(s->EA == 65500 && s->EI1 == 2e-3 && s->EI2 == 6.25e-4 && s->GJ == 1e-3);
    CHECK(s->mass_per_length == 0.0127 && s->radius == 0.00115);
    CHECK(lithe_scene_note_count(scene) == 0);
    // written as numbers
    char *text = NULL;
    FATAL(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    CHECK(strstr(text, "from") == NULL && strstr(text, "7850") != NULL);
    lithe_text_free(context, text);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_thing_takes_a_material_of_the_library_by_itself) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LitheScene *scene = parsed(
        context,
        "lithe: 1\ntime: {step: 1 ms, end: 1 s}\n"
        "rods:\n"
        "  a: {material: {from: copper}, shape: {line: {to: [1, 0, 0]}}, section: {circle: "
        "{radius: "
        "1 mm}}}\n"
        "  b: {repeat: {i: 3}, material: {from: copper}, section: {circle: {radius: 1 mm}}, shape: "
        "{line: {from: [0, 1, i], to: [1, 1, i]}}}\n"
        "bodies: {c: {material: {from: lead}, shape: {sphere: {radius: 1 cm}}, at: [0, 0, 9]}}\n",
        &error);
    if (!scene)
        printf("  %s\n", error.text);
    FATAL(scene != NULL);
    CHECK(scene->material_count == 2 && scene->rods[3].material.number == 1);
    CHECK(strcmp(scene->materials[0].name, "from-copper") == 0);
    CHECK(scene->materials[0].young == 115e9 && scene->materials[1].density == 11340);
    // what is written is read again
    char *text = NULL;
    FATAL(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    LitheScene *again = parsed(context, text, &error);
    FATAL(again != NULL);
    CHECK(again->material_count == 2 && again->materials[0].young == 115e9);
    lithe_scene_destroy(again);
    lithe_text_free(context, text);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(what_no_source_states_is_noted) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LitheScene *scene = parsed(context,
                               "lithe: 1\ntime: {step: 1 ms, end: 1 s}\n"
                               "materials: {a: {from: kevlar-49}, b: {from: timber-c24}}\n"
                               "rods: {r: {section: {stiffness: {from: model-power-cable}}, shape: "
                               "{line: {to: [1, 0, 0]}}}}\n",
                               &error);
    FATAL(scene != NULL);
    FATAL(lithe_scene_note_count(scene) == 2);
    CHECK_TEXT(lithe_scene_note(scene, 0), "materials.a: the library has no poisson of "
                                           "'kevlar-49': 0.5 is taken (own keys replace it)");
    CHECK_TEXT(lithe_scene_note(scene, 1), "rods.r.section.stiffness: the library has no GJ of "
                                           "'model-power-cable': 2/3 of EI is taken");
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

// refused with this message, whose end may be left out
static void refused(const char *rest, const char *part) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    char text[1000];
    snprintf(text, sizeof text, "lithe: 1\ntime: {step: 1 ms, end: 1 s}\n%s", rest);
    LitheScene *scene = parsed(context, text, &error);
    CHECK(scene == NULL);
    CHECK_TEXT(error.text, part);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

TEST(mistakes_are_refused_with_place_and_remedy) {
    refused("materials: {a: {from: stel}}",
            "scene.yaml:3:23: materials.a.from: the library has no material 'stel'; did you mean "
            "steel");
    refused("materials: {a: {from: aluminum}}", "did you mean aluminium");
    refused("materials: {a: {from: xyzzy}}", "`lithe materials` lists all");
    refused("materials: {a: {from: model-power-cable}}",
            "'model-power-cable' is no material: it is for section: {stiffness: {from: "
            "model-power-cable}} of a rod");
    refused("rods: {r: {section: {stiffness: {from: steel}}, shape: {line: {to: [1, 0, 0]}}}}",
            "'steel' is a material: materials: {NAME: {from: steel}}");
    refused("materials: {a: {from: }}", "materials.a.from: ");
    refused("materials: {a: {from: 3}}", "the library has no material '3'");
    refused("materials: {a: {from: [steel]}}", "the name of a material");
    refused("materials: {a: {from: guidewire-lunderquist}}",
            "density is missing: the library has none of 'guidewire-lunderquist'");
    refused("materials: {a: {from: steel, young: 3 m}}", "'3 m' is a length");
    refused("materials: {a: {from: steel, E: 3 Pa, young: 2 Pa}}", "both given");
    refused("rods: {r: {material: {from: stel}, shape: {line: {to: [1, 0, 0]}}}}",
            "rods.r.material.from: the library has no material 'stel'; did you mean steel");
    refused("rods: {r: {material: {from: steel, young: 1 Pa}, shape: {line: {to: [1, 0, 0]}}}}",
            "other keys belong to materials: {NAME: {from: .., ..}}");
    refused("materials: {from-tin: {from: lead}}\n"
            "rods: {r: {material: {from: tin}, shape: {line: {to: [1, 0, 0]}}}}",
            "the scene has another material 'from-tin'");
    refused("materials: {a: {from: tin}}\nmaterial-pairs: {p: {a: {from: tin}, b: a, friction: 1}}",
            "the name of a material");
    // a material of the library that the scene does not define
    refused("rods: {r: {material: steel-s235, shape: {line: {to: [1, 0, 0]}}}}",
            "materials: {steel-s235: {from: steel-s235}}");
}

TEST(programs_fill_defs_from_the_library) {
    LitheMaterialDef m = lithe_material_def_default();
    CHECK(lithe_library_material("aluminium-6061-t6", &m));
    CHECK(m.young == 69e9 && m.poisson == 0.33 && m.density == 2700 && m.yield == 276e6);
    CHECK(!lithe_library_material("model-power-cable", &m) && !lithe_library_material("x", &m));
    LitheSectionDef s = {0};
    CHECK(lithe_library_section("dynamic-power-cable", &s));
    CHECK(s.kind == LITHE_SECTION_STIFFNESS && s.EA == 469e6 && s.EI1 == 19900 && s.EI2 == 19900);
    CHECK(!lithe_library_section("steel", &s));
}

// --- the page ------------------------------------------------------------------------------------

static int source_number(const char *sources[], int *count, const char *source) {
    for (int i = 0; i < *count; i++)
        if (strcmp(sources[i], source) == 0)
            return i + 1;
    sources[(*count)++] = source;
    return *count;
}

static void put_cell(FILE *f, const LitheLibraryEntry *e, const char *key, double scale,
                     const char *sources[], int *count) {
    for (int32_t i = 0; i < e->value_count; i++) {
        const LitheLibraryValue *v = &e->values[i];
        if (strcmp(v->key, key) != 0)
            continue;
        fprintf(f, " %.4g", v->low / scale);
        if (v->low < v->high)
            fprintf(f, " to %.4g", v->high / scale);
        fprintf(f, " [%d]", source_number(sources, count, v->source));
    }
    fputs(" |", f);
}

static void put_tables(FILE *f) {
    static const struct {
        const char *key, *unit;
        double scale;
    } columns[2][5] = {{{"young", "GPa", 1e9},
                        {"poisson", "", 1},
                        {"shear", "GPa", 1e9},
                        {"density", "kg/m^3", 1},
                        {"yield", "MPa", 1e6}},
                       {{"EA", "kN", 1e3},
                        {"EI", "N m^2", 1},
                        {"GJ", "N m^2", 1},
                        {"mass-per-length", "kg/m", 1},
                        {"radius", "mm", 1e-3}}};
    const char *sources[64];
    int count = 0;
    for (int kind = 0; kind < 2; kind++) {
        fprintf(f, "\n## %s\n\n| name | what |", kind ? "Ropes, cables and hoses" : "Materials");
        for (int c = 0; c < 5; c++)
            fprintf(f, " %s%s%s |", columns[kind][c].key, *columns[kind][c].unit ? ", " : "",
                    columns[kind][c].unit);
        fputs("\n|---|---|---|---|---|---|---|\n", f);
        for (int32_t i = 0; i < lithe_library_count(); i++) {
            LitheLibraryEntry e = lithe_library_at(i);
            if ((int)e.kind != kind)
                continue;
            fprintf(f, "| `%s` | %s |", e.name, e.about);
            for (int c = 0; c < 5; c++)
                put_cell(f, &e, columns[kind][c].key, columns[kind][c].scale, sources, &count);
            fputc('\n', f);
        }
    }
    fputs("\n## Sources\n\n", f);
    for (int i = 0; i < count; i++)
        fprintf(f, "%d. %s\n", i + 1, sources[i]);
    fputc('\n', f);
}

TEST(the_page_has_every_entry_with_its_sources) {
    static const char start[] = "<!-- library -->\n", end[] = "<!-- end -->";
    char *have = read_file(PAGE);
    FATAL(have != NULL);
    char *from = strstr(have, start), *to = strstr(have, end);
    FATAL(from && to);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fwrite(have, 1, (size_t)(from - have) + strlen(start), f);
    put_tables(f);
    fputs(to, f);
    fclose(f);
    if (getenv("LITHE_WRITE_REFERENCE"))
        write_file(PAGE, text);
    else
        CHECK(strcmp(have, text) == 0);
    free(have);
    free(text);
}
