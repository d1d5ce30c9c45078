// SPDX-License-Identifier: Apache-2.0
// geom/distance_choice.c - which of the points where two shapes touch become contacts
//
// Of many corners those that span the largest area are kept; a flat patch and a line have contacts
// inside, too (geom/distance_patch.c, geom/distance_line.c).

#include "base/assert.h"
#include "geom/distance_raw.h"

static double spread(const LitheRaw *raw) {
    Vec3 low = raw->point[0].on_a, high = low;
    for (int i = 1; i < raw->count; i++) {
        low = v3_min(low, raw->point[i].on_a);
        high = v3_max(high, raw->point[i].on_a);
    }
    return v3_distance(low, high);
}

// The deepest point. Among nearly equal depths it is the point farthest from the centroid, which is
// a corner of the patch, and among nearly equal distances the first, so that rounding does not
// change the choice.
static int pick_deepest(const LitheRaw *raw, double equal) {
    double deepest = INFINITY, max = -1;
    Vec3 middle = {0, 0, 0};
    for (int i = 0; i < raw->count; i++) {
        deepest = fmin(deepest, raw->point[i].gap);
        middle = v3_axpy(1.0 / raw->count, raw->point[i].on_a, middle);
    }
    int best = 0;
    for (int i = 0; i < raw->count; i++) {
        double far = v3_distance(raw->point[i].on_a, middle);
        if (raw->point[i].gap <= deepest + equal && far > max * (1 + 1e-3) + 1e-300) {
            max = far;
            best = i;
        }
    }
    return best;
}

// the length (for the second point) or area (for the others) that x adds to the chosen points
static double added(const LitheRaw *raw, const int *chosen, int count, int x) {
    Vec3 p = raw->point[x].on_a, first = raw->point[chosen[0]].on_a, middle = {0, 0, 0};
    if (count == 1)
        return v3_distance(p, first);
    for (int i = 0; i < count; i++)
        middle = v3_axpy(1.0 / count, raw->point[chosen[i]].on_a, middle);
    // twice the area of the triangle of x and an edge between chosen points, if x lies outside of
    // it
    double max = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            Vec3 a = raw->point[chosen[i]].on_a, edge = v3_sub(raw->point[chosen[j]].on_a, a);
            Vec3 out = v3_cross(edge, v3_sub(p, a)), in = v3_cross(edge, v3_sub(middle, a));
            if (count == 2 || v3_dot(out, in) < 0)
                max = fmax(max, v3_norm(out));
        }
    return max;
}

// the second end, if all points lie on a line and the deepest is between its ends; else -1
static int other_end(const LitheRaw *raw, const int *chosen) {
    Vec3 first = raw->point[chosen[0]].on_a, end = raw->point[chosen[1]].on_a;
    double max = v3_distance(first, end) * (1 + 1e-6);
    int best = -1;
    for (int i = 0; i < raw->count; i++)
        if (v3_distance(raw->point[i].on_a, end) > max) {
            max = v3_distance(raw->point[i].on_a, end);
            best = i;
        }
    return best;
}

int lithe_raw_choose(const LitheRaw *raw, int wanted, LitheContactPoint *out) {
    int chosen[LITHE_CONTACTS_MAX], count = 0;
    if (raw->count == 0)
        return 0;
    if (raw->count == 1 && wanted > 0) {
        out[0] = raw->point[0];
        out[0].weight = 1;
        return 1;
    }
    double size = spread(raw);
    chosen[count++] = pick_deepest(raw, 1e-4 * size);
    const LitheContactPoint *first = &raw->point[chosen[0]];
    double same = raw_same_place(first->on_a, first->gap, raw->margin);
    while (count < wanted && count < raw->count) {
        int best = -1;
        // points closer than this are equal, triangles flatter than this a line
        double max = count == 1 ? fmax(same, 1e-6 * size) : 1e-4 * size * size;
        for (int i = 0; i < raw->count; i++) {
            double gain = added(raw, chosen, count, i);
            if (gain > max * (1 + 1e-6)) {
                max = gain;
                best = i;
            }
        }
        bool line = best < 0 && count == 2;
        if (line)
            best = other_end(raw, chosen);
        if (best < 0)
            break;
        chosen[count++] = best;
        if (line)
            break;
    }
    for (int i = 0; i < count; i++) {
        out[i] = raw->point[chosen[i]];
        out[i].weight = 1;
        // ids are hashes, but two points of one pair must not have the same id
        for (int j = 0; j < i; j++)
            if (out[j].feature == out[i].feature)
                out[i].feature = raw_mix(out[i].feature, (uint32_t)i);
    }
    return count;
}

int lithe_contacts_choose(const LitheContactPoint *points, int count, double margin, int wanted,
                          LitheContactPoint *out) {
    LitheRaw raw;
    raw_start(&raw, margin, NULL);
    raw.count = count;
    LITHE_ASSERT(count <= LITHE_RAW_MAX);
    for (int i = 0; i < count; i++)
        raw.point[i] = points[i];
    return lithe_raw_choose(&raw, wanted, out);
}

int lithe_raw_choose_by_normal(const LitheRaw *raw, int wanted, LitheContactPoint *out) {
    bool taken[LITHE_RAW_MAX] = {false};
    int count = 0;
    while (count < wanted) {
        int seed = -1;
        for (int i = 0; i < raw->count; i++)
            if (!taken[i] && (seed < 0 || raw->point[i].gap < raw->point[seed].gap))
                seed = i;
        if (seed < 0)
            break;
        LitheRaw group;
        raw_start(&group, raw->margin, NULL);
        for (int i = 0; i < raw->count; i++)
            if (!taken[i] && v3_dot(raw->point[i].normal, raw->point[seed].normal) > 0.999) {
                taken[i] = true;
                group.point[group.count++] = raw->point[i];
            }
        int room = wanted - count;
        count += lithe_raw_choose(&group, room < 4 ? room : 4, out + count);
    }
    return count;
}

void lithe_raw_add(LitheRaw *raw, LitheContactPoint c) {
    if (c.gap > raw->margin)
        return;
    if (raw->count == LITHE_RAW_MAX) {
        LitheContactPoint kept[LITHE_SOLID_CONTACTS];
        int count = lithe_raw_choose_by_normal(raw, LITHE_SOLID_CONTACTS, kept);
        for (int i = 0; i < count; i++)
            raw->point[i] = kept[i];
        raw->count = count;
    }
    raw->point[raw->count++] = c;
}

void lithe_raw_note_piece(LitheRaw *raw, const LitheContactPoint *first,
                          const LitheContactPoint *last) {
    LitheLine *line = raw->line;
    if (!line || line->count == LITHE_LINE_MAX)
        return;
    line->end[line->count][0] = *first;
    line->end[line->count++][1] = *last;
}

void lithe_raw_note_corner(LitheRaw *raw, LitheContactPoint c) {
    LithePatch *patch = raw->patch;
    if (!patch || patch->count == LITHE_OVERLAP_MAX)
        return;
    patch->corner[patch->count] = c.on_a;
    patch->gap[patch->count] = c.gap;
    patch->feature[patch->count++] = c.feature;
    patch->normal = c.normal;
}

// Whether four corners go round a quadrilateral that is far from a line: then all are chosen.
static bool is_quadrilateral(const LithePatch *patch, double flat) {
    if (patch->count != 4 || !(flat > 0))
        return false;
    Vec3 n = patch->normal;
    double size = v3_distance(patch->corner[0], patch->corner[2]), min = INFINITY, max = -INFINITY;
    for (int i = 0; i < 4; i++) {
        Vec3 side = v3_sub(patch->corner[(i + 1) % 4], patch->corner[i]);
        Vec3 next = v3_sub(patch->corner[(i + 2) % 4], patch->corner[(i + 1) % 4]);
        double turn = v3_dot(n, v3_cross(side, next));
        min = fmin(min, turn);
        max = fmax(max, turn);
        for (int j = 0; j < i; j++)
            if (patch->feature[j] == patch->feature[i])
                return false;
    }
    return min > 1e-2 * size * size || max < -1e-2 * size * size;
}

int lithe_raw_choose_patch(const LithePatch *patch, double margin, bool inner,
                           LitheContactPoint *out) {
    double flat = lithe_patch_flat(patch);
    if (!(flat > 0))
        return 0;
    LitheRaw all;
    raw_start(&all, margin, NULL);
    for (int i = 0; i < patch->count; i++)
        all.point[all.count++] =
            (LitheContactPoint){.on_a = patch->corner[i],
                                .on_b = v3_axpy(patch->gap[i], patch->normal, patch->corner[i]),
                                .normal = patch->normal,
                                .gap = patch->gap[i],
                                .weight = 1,
                                .feature = patch->feature[i]};
    int corners = 4, kept = 0;
    if (is_quadrilateral(patch, flat))
        for (int i = 0; i < 4; i++)
            out[i] = all.point[i];
    else
        corners = lithe_raw_choose(&all, 4, out);
    int count = inner ? lithe_patch_spread(patch, flat, out, corners) : corners;
    if (count < (inner ? 6 : 3))
        return 0; // a line
    for (int i = 0; i < count; i++)
        if (out[i].gap <= margin)
            out[kept++] = out[i];
    if (patch->region) {
        patch->region->flat = kept == count ? flat : 0;
        patch->region->points = kept;
    }
    return kept;
}

int lithe_raw_choose_lines(LitheRaw *raw, int room, LitheContactPoint *out) {
    int count = 0;
    while (raw->line && raw->line->count > 0 && count + 4 <= room) {
        LitheContactPoint points[4];
        int kept = 0;
        if (!lithe_line_spread(raw->line, points))
            continue;
        for (int i = 0; i < raw->count; i++)
            if (!lithe_line_has(points, &raw->point[i]))
                raw->point[kept++] = raw->point[i];
        raw->count = kept;
        int first = count;
        for (int i = 0; i < 4; i++)
            if (points[i].gap <= raw->margin)
                out[count++] = points[i];
        // the region is that of the first line, if all of it touches
        LitheRegion *region = raw->line->region;
        if (region) {
            region->flat = count == 4 ? region->flat : 0;
            region->points = count - first;
        }
        raw->line->region = NULL;
    }
    return count;
}
