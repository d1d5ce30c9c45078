// SPDX-License-Identifier: Apache-2.0
// cli/scene_marks.c - holds, drives, joints and overlaps of a scene at its start, for the viewer

#include "cli/cli.h"
#include "cli/scene_extra.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/tree_body.h"
#include "data/thing.h"
#include "model/compile.h"
#include "view/text.h"

#include <math.h>
#include <string.h>

// overlaps deeper than this fraction of the smaller half thickness are shown, as in `lithe check`
#define DEEP 0.06
// most overlaps that are drawn: the deepest pairs of a bad scene hide everything else
enum { OVERLAPS_DRAWN = 200, OVERLAPS_REPORTED = 5 };

void lithe_cli_put_message(LitheBytes *messages, const char *text, bool bad) {
    lithe_view_put(messages, "%s{\"text\":", messages->count > 0 ? "," : "");
    lithe_view_put_quoted(messages, text);
    lithe_view_put(messages, ",\"bad\":%s}", bad ? "true" : "false");
}

// --- held and driven nodes -----------------------------------------------------------------------

typedef struct Marks {
    LitheContext *context;
    const LitheScene *scene;
    const LitheModel *model;
    LitheState *state;
    LitheBytes *text;
    LitheCliPoints *points; // for a picture; or NULL
    int32_t count;
} Marks;

static void put_mark(Marks *marks, const char *kind, const char *name, const char *thing) {
    lithe_view_put(marks->text, "%s{\"kind\":\"%s\",\"name\":", marks->count++ > 0 ? "," : "",
                   kind);
    lithe_view_put_quoted(marks->text, name);
    lithe_view_put(marks->text, ",\"thing\":");
    lithe_view_put_quoted(marks->text, thing);
}

static void put_parts(Marks *marks, LitheCliMark kind, const LitheThingPoints *points,
                      const int32_t *list, int32_t count) {
    for (int32_t i = 0; marks->points && i < count; i++) {
        Vec3 at = v3_load(points->x + (int64_t)points->stride * list[i]);
        marks->text->failed |= !lithe_cli_points_add(marks->points, kind, at);
    }
    lithe_view_put(marks->text, ",\"parts\":[");
    for (int32_t i = 0; i < count; i++)
        lithe_view_put(marks->text, "%s%d", i > 0 ? "," : "", (int)list[i]);
    lithe_view_put(marks->text, "]}");
}

// The nodes of all drives on one thing; sets `driven` [count_of] of these nodes.
static LitheStatus put_drives(Marks *marks, const LitheThingPoints *points, LitheMembers *members,
                              bool *driven, LitheError *error) {
    const LitheScene *scene = marks->scene;
    for (int32_t i = 0; i < scene->drive_count; i++) {
        const LitheDriveDef *drive = &scene->drives[i];
        LitheStatus status =
            lithe_members_find(scene, &drive->place, "drive", drive->name, members, error);
        if (status != LITHE_OK)
            return status;
        if (members->count == 0)
            continue;
        put_mark(marks, "drive", drive->name, lithe_thing_name(marks->model, members->thing));
        put_parts(marks, LITHE_CLI_DRIVE, points, members->list, members->count);
        // a clamp also holds the other node of its edge
        for (int32_t k = 0; k < members->count; k++)
            for (int32_t near = -1; near <= 1; near++) {
                int32_t node = members->list[k] + near;
                if (node >= 0 && node < members->count_of &&
                    (near == 0 || drive->kind == LITHE_DRIVE_CLAMP))
                    driven[node] = true;
            }
    }
    return LITHE_OK;
}

// Nodes that are held in some direction, and not driven.
static void put_holds(Marks *marks, LitheThing thing, const LitheThingPoints *points,
                      const bool *driven, int32_t *list) {
    int32_t count = 0;
    for (int32_t i = 0; points->held && i < points->count; i++) {
        const unsigned char *held = points->held + (int64_t)points->held_stride * i;
        if ((held[0] || held[1] || held[2]) && !driven[i])
            list[count++] = i;
    }
    if (count == 0)
        return;
    put_mark(marks, "hold", "", lithe_thing_name(marks->model, thing));
    put_parts(marks, LITHE_CLI_HOLD, points, list, count);
}

static LitheStatus put_thing(Marks *marks, LitheThing thing, LitheError *error) {
    LitheThingPoints points = lithe_thing_points(marks->model, marks->state, thing);
    if (points.count == 0)
        return LITHE_OK;
    LitheContext *context = marks->context;
    Vec3 *x = lithe_alloc_array(context, points.count, sizeof *x);
    double *lengths = lithe_alloc_array(context, points.count, sizeof *lengths);
    bool *driven = lithe_alloc_array(context, points.count, sizeof *driven);
    int32_t *list = lithe_alloc_array(context, points.count, sizeof *list);
    LitheStatus status =
        x && lengths && driven && list ? LITHE_OK : lithe_fail_memory(error, "marks of the viewer");
    for (int32_t i = 0; status == LITHE_OK && i < points.count; i++) {
        driven[i] = false;
        x[i] = v3_load(points.x + (int64_t)points.stride * i);
    }
    for (int32_t i = 0; status == LITHE_OK && i < points.count; i++)
        lengths[i] = v3_distance(x[i], x[(i + 1) % points.count]);
    LitheMembers members = {.thing = thing,
                            .points = x,
                            .lengths = lengths,
                            .count_of = points.count,
                            .closed = points.closed,
                            .groups = points.groups,
                            .group_count = points.group_count};
    if (status == LITHE_OK)
        status = put_drives(marks, &points, &members, driven, error);
    if (status == LITHE_OK)
        put_holds(marks, thing, &points, driven, list);
    lithe_members_free(context, &members);
    lithe_free(context, x);
    lithe_free(context, lengths);
    lithe_free(context, driven);
    lithe_free(context, list);
    return status;
}

// --- joints --------------------------------------------------------------------------------------

// What a joint leaves in place: an axis, a point, or both.
static void joint_parts(LitheJointKind kind, bool *axis, bool *point) {
    bool slides = kind == LITHE_JOINT_PRISMATIC || kind == LITHE_JOINT_PLANAR;
    *axis = slides || kind == LITHE_JOINT_REVOLUTE || kind == LITHE_JOINT_SCREW;
    *point = kind == LITHE_JOINT_REVOLUTE || kind == LITHE_JOINT_BALL;
}

// Place and axis of a joint for a picture; the page has them from the recording.
static void put_joint(Marks *marks, int32_t joint) {
    const LitheModel *model = marks->model;
    bool has_axis, has_point;
    if (!marks->points)
        return;
    LitheJointPlace found = lithe_joint_place(model, joint);
    joint_parts(found.kind, &has_axis, &has_point);
    if (!has_axis && !has_point)
        return;
    double place[7];
    lithe_body_pose(model, marks->state, (LitheBodyId){found.body + 1}, place);
    Pose body = {{place[3], place[4], place[5], place[6]}, v3_load(place)};
    Vec3 axis = q4_rotate(found.frame.rotation, v3(0, 0, 1));
    Vec3 along = has_axis ? q4_rotate(body.rotation, axis) : v3(0, 0, 0);
    marks->text->failed |= !lithe_cli_points_add_joint(
        marks->points, pose_point(body, found.frame.at), along, has_point);
}

// --- overlaps ------------------------------------------------------------------------------------

// To the messages of the page, or to the lines that go with a picture.
static void report(Marks *marks, const char *text, LitheBytes *messages) {
    lithe_cli_put_message(messages, text, true);
    if (marks->points)
        lithe_view_put(&marks->points->lines, "%s\n", text);
}

static void report_overlap(Marks *marks, const LitheContact *contact, LitheBytes *messages) {
    const LitheModel *model = marks->model;
    char depth[32], text[600];
    const char *a = lithe_thing_name(model, contact->a.thing);
    const char *b = lithe_thing_name(model, contact->b.thing);
    lithe_cli_nice(-contact->gap, "m", depth);
    if (strcmp(a, b) == 0)
        snprintf(text, sizeof text, "'%.200s' overlaps itself at the start by %s", a, depth);
    else
        snprintf(text, sizeof text, "'%.200s' and '%.200s' overlap at the start by %s", a, b,
                 depth);
    report(marks, text, messages);
}

static LitheStatus put_overlaps(Marks *marks, LitheBytes *messages, LitheError *error) {
    const LitheModel *model = marks->model;
    LitheContacts *contacts = lithe_contacts_create(marks->context);
    if (!contacts)
        return lithe_fail_memory(error, "contacts at the start");
    LitheStatus status = lithe_find_contacts(model, marks->state, 0, contacts, error);
    const LitheContact *all = lithe_contact_data(contacts);
    int32_t drawn = 0, reported = 0;
    uint64_t last = 0;
    for (int32_t i = 0; status == LITHE_OK && i < lithe_contact_count(contacts); i++) {
        if (!(lithe_contact_overlap(model, &all[i]) > DEEP) || drawn++ >= OVERLAPS_DRAWN)
            continue;
        uint64_t pair = lithe_thing_pair(lithe_thing_number(model, all[i].a.thing),
                                         lithe_thing_number(model, all[i].b.thing));
        if (reported == 0 || pair != last) {
            if (reported++ < OVERLAPS_REPORTED)
                report_overlap(marks, &all[i], messages);
            last = pair;
        }
        double at[3];
        v3_store(all[i].point, at);
        if (marks->points)
            marks->text->failed |=
                !lithe_cli_points_add(marks->points, LITHE_CLI_OVERLAP, all[i].point);
        put_mark(marks, "overlap", lithe_thing_name(model, all[i].a.thing),
                 lithe_thing_name(model, all[i].b.thing));
        lithe_view_put(marks->text, ",\"at\":");
        lithe_view_put_numbers(marks->text, at, 3);
        lithe_view_put(marks->text, ",\"depth\":");
        lithe_view_put_number(marks->text, -all[i].gap);
        lithe_view_put(marks->text, "}");
    }
    if (reported > OVERLAPS_REPORTED) {
        char more[80];
        snprintf(more, sizeof more, "%d more overlaps at the start", reported - OVERLAPS_REPORTED);
        report(marks, more, messages);
    }
    lithe_contacts_destroy(contacts);
    return status;
}

static LitheStatus put_all(Marks *marks, LitheBytes *messages, LitheError *error) {
    LitheStatus status = LITHE_OK;
    lithe_view_put(marks->text, "\"marks\":[");
    for (int32_t i = 0; status == LITHE_OK && i < lithe_thing_count(marks->model); i++)
        status = put_thing(marks, lithe_thing_at(marks->model, i), error);
    for (int32_t i = 0; status == LITHE_OK && i < marks->model->joint_count; i++)
        put_joint(marks, i);
    if (status == LITHE_OK && marks->model->contact.enabled)
        status = put_overlaps(marks, messages, error);
    lithe_view_put(marks->text, "]");
    if (status == LITHE_OK && marks->text->failed)
        status = lithe_fail_memory(error, "marks of the viewer");
    return status;
}

LitheStatus lithe_cli_marks_describe(const LitheScene *scene, LitheBytes *text,
                                     LitheBytes *messages, LitheError *error) {
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheStatus status = lithe_compile(scene, &model, &state, error);
    if (status != LITHE_OK)
        return status;
    Marks marks = {
        .context = scene->context, .scene = scene, .model = model, .state = state, .text = text};
    status = put_all(&marks, messages, error);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return status;
}

LitheStatus lithe_cli_marks_find(const LitheScene *scene, const LitheModel *model,
                                 LitheState *state, LitheCliPoints *points, LitheBytes *messages,
                                 LitheError *error) {
    LitheBytes text = {.context = scene->context};
    Marks marks = {.context = scene->context,
                   .scene = scene,
                   .model = model,
                   .state = state,
                   .text = &text,
                   .points = points};
    LitheStatus status = put_all(&marks, messages, error);
    lithe_bytes_release(&text);
    return status;
}
