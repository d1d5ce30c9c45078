// SPDX-License-Identifier: Apache-2.0
// tests/record/test_export.c - tables, ParaView files and pictures of a recording

#include "test.h"

#include "lithe/lithe.h"
#include "math/vec3.h"
#include "record/export.h"
#include "record/rod_values.h"
#include "record/synthetic.h"
#include "record/text.h"

#include <locale.h>

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheRecording *recording;
    LitheError error;
} Fixture;

static bool begin(Fixture *f) {
    *f = (Fixture){.context = lithe_context_create(NULL), .folder = test_folder()};
    return synthetic_recording(f->context, &f->folder, 4, &f->recording, &f->error);
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static char *slurp(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    size_t size = text ? fread(text, 1, (1 << 20) - 1, file) : 0;
    fclose(file);
    (void)size;
    return text;
}

TEST(a_table_has_one_row_per_frame_and_one_name_per_column) {
    Fixture f;
    FATAL(begin(&f));
    char path[256];
    const char *const names[] = {"rope.tension.max", "energy.kinetic"};
    FATAL(lithe_export_csv(f.recording, test_path(&f.folder, "a.csv", path), names, 2, &f.error) ==
          LITHE_OK);
    char *text = slurp(path);
    CHECK(text && strcmp(text, "time [s],rope.tension.max [N],energy.kinetic [J]\n"
                               "0,19,35\n0.125,1019,1035\n0.25,2019,2035\n"
                               "0.375,3019,3035\n") == 0);
    free(text);
    FATAL(lithe_export_csv(f.recording, path, NULL, 0, &f.error) == LITHE_OK);
    text = slurp(path);
    CHECK_TEXT(text, "rope.end.position.z [m]");
    CHECK_TEXT(text, "pull.force [N]");
    free(text);
    const char *const wrong[] = {"rope.tensoin"};
    CHECK(lithe_export_csv(f.recording, path, wrong, 1, &f.error) == LITHE_BAD_INPUT);
    CHECK(lithe_export_csv(f.recording, "/nowhere/a.csv", names, 2, &f.error) == LITHE_FILE_ERROR);
    CHECK_TEXT(f.error.text, "/nowhere/a.csv: cannot write: No such file");
    end(&f);
}

TEST(numbers_read_back_as_the_same_and_have_a_point) {
    const double numbers[] = {0.1, 1.0 / 3, 1e300, -4.9e-324, 12, 0.30000000000000004};
    // a locale with a decimal comma, where the machine has one
    setlocale(LC_NUMERIC, "de_DE.UTF-8");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        FATAL(file != NULL);
        lithe_text_number(file, numbers[i]);
        fclose(file);
        CHECK(strchr(text, ',') == NULL);
        setlocale(LC_NUMERIC, "C");
        CHECK(strtod(text, NULL) == numbers[i]);
        setlocale(LC_NUMERIC, "de_DE.UTF-8");
        free(text);
    }
    setlocale(LC_NUMERIC, "C");
}

// --- reading base64 back -------------------------------------------------------------------------

static int digit(char c) {
    const char *all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(all, c) : NULL;
    return at ? (int)(at - all) : -1;
}

static size_t decode(const char *text, unsigned char *out, size_t buffer) {
    size_t count = 0;
    while (digit(text[0]) >= 0 && count + 3 <= buffer) {
        int a = digit(text[0]), b = digit(text[1]), c = digit(text[2]), d = digit(text[3]);
        out[count++] = (unsigned char)(a << 2 | b >> 4);
        if (c >= 0)
            out[count++] = (unsigned char)(b << 4 | c >> 2);
        if (d >= 0)
            out[count++] = (unsigned char)(c << 6 | d);
        text += 4;
    }
    return count;
}

// The doubles of the array with this name; checks the byte count before them.
static int read_array(const char *text, const char *name, double *out, int buffer) {
    char mark[64];
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const char *at = strstr(text, mark);
    at = at ? strchr(at, '\n') : NULL;
    unsigned char bytes[4096];
    uint64_t size = 0;
    size_t count = at ? decode(at + 1, bytes, sizeof bytes) : 0;
    if (count < 8)
        return -1;
    memcpy(&size, bytes, 8);
    if (size != count - 8 || size / 8 > (uint64_t)buffer)
        return -2;
    memcpy(out, bytes + 8, size);
    return (int)(size / 8);
}

TEST(paraview_files_hold_points_lines_and_values) {
    Fixture f;
    FATAL(begin(&f));
    char path[256];
    FATAL(lithe_export_vtk(f.recording, test_path(&f.folder, "a.pvd", path), &f.error) == LITHE_OK);
    char *list = slurp(path);
    CHECK_TEXT(list, "<DataSet timestep=\"0.375\" part=\"0\" file=\"a_frames/000003.vtp\"/>");
    free(list);
    char *text = slurp(test_path(&f.folder, "a_frames/000002.vtp", path));
    FATAL(text != NULL);
    double values[64];
    FATAL(read_array(text, "Points", values, 64) == 3 * SYNTHETIC_NODES);
    CHECK(values[14] == synthetic_value(2, 15));
    FATAL(read_array(text, "radius", values, 64) == SYNTHETIC_NODES);
    CHECK(values[4] == 0.01);
    // edge values 16 17 18 19: the ends keep theirs, between them the means
    FATAL(read_array(text, "tension", values, 64) == SYNTHETIC_NODES);
    CHECK(values[0] == synthetic_value(2, 16) && values[4] == synthetic_value(2, 19));
    CHECK(values[1] == synthetic_value(2, 16) + 0.5 && values[3] == synthetic_value(2, 18) + 0.5);
    CHECK(read_array(text, "curvature", values, 64) == 2 * SYNTHETIC_NODES);
    int64_t links[8];
    FATAL(read_array(text, "connectivity", (double *)links, 8) == SYNTHETIC_NODES);
    CHECK(links[0] == 0 && links[4] == 4);
    CHECK(read_array(text, "offsets", (double *)links, 8) == 1 && links[0] == 5);
    free(text);
    end(&f);
}

static double volume6(const double *x, const int64_t *node) {
    Vec3 o = v3_load(x + 3 * node[0]), a = v3_sub(v3_load(x + 3 * node[1]), o);
    Vec3 b = v3_sub(v3_load(x + 3 * node[2]), o), c = v3_sub(v3_load(x + 3 * node[3]), o);
    return v3_dot(v3_cross(a, b), c);
}

// a cell of 2 x 3 x 4 cm, stretched by a drive: five tetrahedra with their stresses
TEST(paraview_gets_the_tetrahedra_of_solids_with_their_stresses) {
    static const char text[] =
        "lithe: 1\ngravity: none\ntime: {step: 1 s, end: 1 s, scheme: static}\n"
        "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids: {it: {material: m, mesh: {box: {size: [2 cm, 3 cm, 4 cm], divisions: [1, 1, "
        "1]}}}}\n"
        "holds: {a: {on: it.x-min}}\n"
        "drives: {d: {on: it.x-max, direction: [1, 0.5, 0.25], motion: {table: [[0 s, 0], [1 s, 2 "
        "mm]]}}}\n"
        "record: {every: 1 s, also: [it.stress, it.von-mises]}\n";
    Fixture f = {.context = lithe_context_create(NULL), .folder = test_folder()};
    char path[256], out[256];
    LitheScene *scene = NULL;
    LitheRunDef def = lithe_run_def_default();
    LitheSummary summary;
    def.out = test_path(&f.folder, "a.h5", out);
    bool ok =
        lithe_scene_parse(f.context, text, sizeof text - 1, NULL, NULL, NULL, 0, &scene,
                          &f.error) == LITHE_OK &&
        lithe_run(scene, &def, &summary, &f.error) == LITHE_OK &&
        lithe_recording_open(f.context, out, &f.recording, &f.error) == LITHE_OK &&
        lithe_export_vtk(f.recording, test_path(&f.folder, "a.pvd", path), &f.error) == LITHE_OK;
    lithe_scene_destroy(scene);
    if (!CHECK(ok))
        printf("  %s\n", f.error.text);
    char *list = slurp(path), *first = slurp(test_path(&f.folder, "a_frames/000000-0.vtu", path));
    char *last = slurp(test_path(&f.folder, "a_frames/000001-0.vtu", path));
    if (CHECK(ok && list && first && last)) {
        double x[24], stress[30], own[30], sum = 0;
        int64_t node[20], types[5];
        CHECK_TEXT(list, "part=\"1\" file=\"a_frames/000001-0.vtu\"/>");
        CHECK(read_array(first, "position", x, 24) == 24);
        CHECK(read_array(first, "connectivity", (double *)node, 20) == 20);
        CHECK(read_array(first, "types", (double *)types, 5) == 5 && types[4] == 10);
        for (int e = 0; e < 5; e++)
            sum += volume6(x, node + 4 * e) / 6;
        CHECK_NEAR(sum, 24e-6, 1e-15);
        CHECK(read_array(last, "von-mises", x, 24) == 8 && x[0] > 1e4);
        // shear: xy, yz, xz; the recording has yz, zx, xy
        const LitheColumn *column = lithe_recording_column(f.recording, "solids", "it", "stress");
        CHECK(read_array(last, "stress", stress, 30) == 30);
        CHECK(lithe_recording_read(f.recording, column, 1, 1, own, &f.error) == LITHE_OK);
        for (int e = 0; e < 30; e += 6)
            CHECK(stress[e] == own[e] && stress[e + 3] == own[e + 5] &&
                  stress[e + 4] == own[e + 3] && stress[e + 5] == own[e + 4]);
        CHECK(strstr(last, "ComponentName3=\"xy\""));
    }
    free(list);
    free(first);
    free(last);
    end(&f);
}

LONG_TEST(a_still_is_drawn_by_rod_or_by_quantity) {
    Fixture f;
    FATAL(begin(&f));
    char path[256];
    LithePictureOptions options = lithe_picture_options_default();
    options.width = 160;
    options.height = 100;
    FATAL(lithe_export_picture(f.recording, 3, test_path(&f.folder, "a.png", path), &options,
                               &f.error) == LITHE_OK);
    char *plain = slurp(path);
    FATAL(plain && memcmp(plain, "\x89PNG", 4) == 0);
    options.colour = "tension";
    CHECK(lithe_export_picture(f.recording, 3, path, &options, &f.error) == LITHE_OK);
    char *coloured = slurp(path);
    CHECK(coloured && memcmp(plain, coloured, 1 << 20) != 0);
    free(plain);
    free(coloured);
    CHECK(lithe_export_picture(f.recording, 0, test_path(&f.folder, "a.svg", path), &options,
                               &f.error) == LITHE_OK);
    options.colour = "tenson";
    CHECK(lithe_export_picture(f.recording, 0, path, &options, &f.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "did you mean 'tension'?");
    options.colour = NULL;
    CHECK(lithe_export_picture(f.recording, 4, path, &options, &f.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "frames 0 to 3, requested 4");
    CHECK(lithe_export_picture(f.recording, 0, "a.gif", &options, &f.error) == LITHE_BAD_INPUT);
    end(&f);
}
