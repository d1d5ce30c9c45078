// SPDX-License-Identifier: Apache-2.0
// tests/view/test_view_drawn.c - the description of tubes, surfaces and balls for a page, and their
// frames

#include "test.h"

#include "record/mixed.h"
#include "view/gltf.h"
#include "view/pack.h"

enum { BALLS = 20 };
enum {
    // words of the fixed part: positions, directors and fields of each, then series
    ROPE = (3 + 5) * MIXED_NODES + 3 * (MIXED_NODES - 1),
    SAIL = (3 + 4) * MIXED_SAIL,
    SAND = (3 + 2) * BALLS,
};

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheRecording *recording;
    LitheViewReader *reader;
    LitheError error;
} Fixture;

static bool begin(Fixture *f) {
    *f = (Fixture){.context = lithe_context_create(NULL), .folder = test_folder()};
    char journal[256], path[256];
    bool fine = mixed_write(f->context, test_path(&f->folder, "j", journal),
                            test_path(&f->folder, "a.h5", path), BALLS, &f->error) &&
                lithe_recording_open(f->context, path, &f->recording, &f->error) == LITHE_OK &&
                lithe_view_reader_create(f->recording, &f->reader, &f->error) == LITHE_OK;
    if (!fine)
        printf("  %s\n", f->error.text);
    return fine;
}

static void end(Fixture *f) {
    lithe_view_reader_destroy(f->reader);
    lithe_recording_close(f->recording);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static bool near_word(float word, double value) {
    return fabs((double)word - value) <= 1e-6 * fmax(1, fabs(value));
}

TEST(frames_hold_tubes_then_surfaces_then_balls_with_their_own_fields) {
    Fixture f;
    FATAL(begin(&f));
    const LitheViewScene *scene = f.reader->scene;
    CHECK(scene->word_count == ROPE + SAIL + SAND + scene->series_count);
    LitheViewFrame frame;
    FATAL(lithe_view_reader_read(f.reader, 2, &frame, &f.error) == LITHE_OK);
    FATAL(frame.row_count == 1);
    int64_t bytes = lithe_view_frame_bytes(scene, frame.row_count);
    float *out = calloc((size_t)bytes, 1);
    lithe_view_frame_write(scene, &frame, (unsigned char *)out);
    const float *words = out + LITHE_VIEW_HEAD_BYTES / 4, *sail = words + ROPE, *sand = sail + SAIL;
    CHECK(near_word(words[3 * 4 + 2], mixed_node(2, 4).z));
    CHECK(near_word(sail[3 * 7], mixed_corner(2, 7).x) &&
          near_word(sail[3 * 7 + 2], mixed_corner(2, 7).z));
    // its speed is the displacement since the frame before; stress is as recorded
    double way = v3_distance(mixed_corner(2, 7), mixed_corner(1, 7));
    CHECK(near_word(sail[3 * MIXED_SAIL + 7], way / 0.125));
    CHECK(near_word(sail[4 * MIXED_SAIL + 7], v3_distance(mixed_corner(2, 7), mixed_corner(0, 7))));
    CHECK(sail[4 * MIXED_SAIL + 7] > 0);
    CHECK(near_word(sail[5 * MIXED_SAIL + 7], mixed_stress(2, 7)));
    CHECK(near_word(sand[3 * 5 + 1], mixed_ball(2, 5, BALLS).y));
    CHECK(near_word(sand[3 * BALLS + 5], v3_norm(mixed_velocity(2, 5))));
    // the contact presses particle 3 with its force over the area of its great circle
    double press[3] = {(double)frame.rows[3], (double)frame.rows[4], (double)frame.rows[5]};
    double area = M_PI * mixed_radius(3) * mixed_radius(3);
    CHECK(near_word(sand[4 * BALLS + 3], v3_norm(v3_load(press)) / area));
    CHECK(sand[4 * BALLS + 3] > 0 && sand[4 * BALLS + 2] == 0);
    // the contact has numbers of things in the order of the recording
    uint32_t ids[4];
    memcpy(ids, (char *)out + bytes - sizeof ids, sizeof ids);
    CHECK(ids[0] == 1 && ids[1] == 0 && ids[2] == 3 && ids[3] == 0);
    free(out);
    end(&f);
}

TEST(descriptions_list_things_and_what_draws_them) {
    Fixture f;
    FATAL(begin(&f));
    LitheBytes bytes = {.context = f.context};
    FATAL(lithe_view_scene_describe(f.reader->scene, "replay", NULL, &bytes, &f.error) == LITHE_OK);
    lithe_bytes_put(&bytes, "", 1);
    const char *text = (const char *)bytes.at;
    CHECK_TEXT(text, "{\"format\":\"lithe-view\",\"version\":2,\"mode\":\"replay\"");
    CHECK_TEXT(text, "\"things\":[{\"name\":\"floor\",\"list\":\"bodies\",\"index\":0},"
                     "{\"name\":\"sand\",\"list\":\"balls\",\"index\":0},"
                     "{\"name\":\"rope\",\"list\":\"tubes\",\"index\":0},"
                     "{\"name\":\"sail\",\"list\":\"surfaces\",\"index\":0}]");
    CHECK_TEXT(text, "\"tubes\":[{\"name\":\"rope\",\"kind\":\"rods\",\"points\":25,"
                     "\"fields\":[0,1,2,3,4],\"edges\":24,\"closed\":false");
    CHECK_TEXT(text, "\"surfaces\":[{\"name\":\"sail\",\"kind\":\"shells\",\"points\":192,"
                     "\"fields\":[3,5,6,4],\"triangles\":[0,1,17,0,17,16,");
    CHECK_TEXT(text, "\"balls\":[{\"name\":\"sand\",\"kind\":\"particles\",\"points\":20,"
                     "\"fields\":[3,4],\"radius\":[0.03,0.034,");
    CHECK_TEXT(text,
               "{\"name\":\"speed\",\"unit\":\"m/s\"},{\"name\":\"contact pressure\",\"unit\":"
               "\"Pa\"},{\"name\":\"displacement\",\"unit\":\"m\"},{\"name\":\"stress\",\"unit\":"
               "\"Pa\"}]");
    lithe_bytes_release(&bytes);
    // everything is within the bounds, balls with their radii
    const LitheViewScene *scene = f.reader->scene;
    double right = -1;
    for (int32_t i = 0; i < BALLS; i++)
        right = fmax(right, mixed_ball(3, i, BALLS).x + mixed_radius(i));
    CHECK_NEAR(scene->low[0], mixed_corner(0, 0).x, 1e-12);
    CHECK_NEAR(scene->high[0], fmax(right, mixed_node(0, MIXED_NODES - 1).x + 0.03), 1e-12);
    end(&f);
}

TEST(packed_runs_have_a_channel_for_each_part_of_the_frames) {
    Fixture f;
    FATAL(begin(&f));
    LitheBytes packed = {.context = f.context};
    CHECK(lithe_view_pack(f.reader, 1, &packed, &f.error) == LITHE_OK && packed.count > 1000);
    lithe_bytes_release(&packed);
    end(&f);
}

// --- glTF ----------------------------------------------------------------------------------------

// The JSON part of a file, to be freed.
static char *json_of(const char *path) {
    FILE *file = fopen(path, "rb");
    uint32_t head[5] = {0};
    bool fine = file && fread(head, 4, 5, file) == 5 && head[0] == 0x46546c67;
    char *text = fine ? calloc(head[3] + 1, 1) : NULL;
    if (text && fread(text, 1, head[3], file) != head[3])
        text[0] = '\0';
    if (file)
        fclose(file);
    return text;
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

TEST(gltf_files_have_a_joint_a_point_and_a_node_a_ball) {
    Fixture f;
    FATAL(begin(&f));
    char path[256];
    FATAL(lithe_export_glb(f.recording, test_path(&f.folder, "a.glb", path), &f.error) == LITHE_OK);
    char *text = json_of(path);
    FATAL(text != NULL);
    CHECK(count_of(text, "\"name\":\"rope\"") == MIXED_NODES + 1);
    CHECK(count_of(text, "\"name\":\"sail\"") == MIXED_SAIL + 1);
    CHECK(count_of(text, "\"name\":\"sand\"") == BALLS);
    CHECK(count_of(text, "\"inverseBindMatrices\"") == 2);
    CHECK(count_of(text, "\"primitives\"") == 3);
    // joints move and rotate, balls only move
    CHECK(count_of(text, "\"path\":\"translation\"") == MIXED_NODES + MIXED_SAIL + BALLS);
    CHECK(count_of(text, "\"path\":\"rotation\"") == MIXED_NODES + MIXED_SAIL);
    CHECK_TEXT(text, "\"scale\":[0.034,0.034,0.034]");
    free(text);
    end(&f);
}
