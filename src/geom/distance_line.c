// SPDX-License-Identifier: Apache-2.0
// geom/distance_line.c - contacts of a line along which two shapes touch
//
// A cylinder on its side, or an edge on a face, presses evenly on a line. Contacts at its ends
// alone would make friction about the normal twice, and resistance to rocking three times too
// large. So each end has a second contact inside, by the rule of faces (18) to (20) with means over
// the line: for one piece from -1 to 1
//    ends at -1 and 1 with 1/4, inner ones at -1/3 and 1/3 with 3/4 of the stiffness     (25)
// A line of several pieces with gaps between them (two wheels on an axle) has its centre c and its
// means over all pieces; its ends p_k have the shares
//    l_2 = (c - p_1)/(p_2 - p_1),   l_1 = 1 - l_2                                        (26)

#include "geom/distance.h"

// pieces whose normals differ by more than 2.6 degrees belong to different lines
#define SAME_NORMAL 0.999
// distance from the line, over its length, below which a point lies on it
#define ON_LINE 1e-6
// difference of gaps, over the length of the longest piece, below which ends are equally deep
#define EQUAL 1e-4

static double length_of(const LitheLine *line, int i) {
    return v3_distance(line->end[i][0].on_b, line->end[i][1].on_b);
}

// of the pieces that reach deepest the longest
static int pick_base(const LitheLine *line) {
    double deepest = INFINITY, longest = 0, max = -1;
    int best = 0;
    for (int i = 0; i < line->count; i++) {
        deepest = fmin(deepest, fmin(line->end[i][0].gap, line->end[i][1].gap));
        longest = fmax(longest, length_of(line, i));
    }
    for (int i = 0; i < line->count; i++) {
        double gap = fmin(line->end[i][0].gap, line->end[i][1].gap), length = length_of(line, i);
        if (gap <= deepest + EQUAL * longest && length > max * (1 + 1e-9)) {
            max = length;
            best = i;
        }
    }
    return best;
}

// a part of the line, from `low` to `high` along it
typedef struct Part {
    double low, high;
    const LitheContactPoint *first, *last; // its ends
} Part;

// The parts of the line on which a piece lies, in their order along it; overlaps are cut. Returns
// their number.
static int parts_of(const LitheLine *line, int base, Part *out) {
    Vec3 origin = line->end[base][0].on_b;
    double size = length_of(line, base);
    Vec3 axis = v3_scale(1 / size, v3_sub(line->end[base][1].on_b, origin));
    int count = 0;
    for (int i = 0; i < line->count; i++) {
        const LitheContactPoint *p = &line->end[i][0], *q = &line->end[i][1];
        Vec3 x = v3_sub(p->on_b, origin), y = v3_sub(q->on_b, origin);
        double s = v3_dot(axis, x), t = v3_dot(axis, y);
        if (i != base && (v3_norm(v3_axpy(-s, axis, x)) > ON_LINE * size ||
                          v3_norm(v3_axpy(-t, axis, y)) > ON_LINE * size ||
                          v3_dot(p->normal, line->end[base][0].normal) < SAME_NORMAL))
            continue;
        Part part = s <= t ? (Part){s, t, p, q} : (Part){t, s, q, p};
        int at = count++;
        for (; at > 0 && out[at - 1].low > part.low; at--)
            out[at] = out[at - 1];
        out[at] = part;
    }
    double end = -INFINITY;
    for (int i = 0; i < count; i++) {
        out[i].low = fmin(fmax(out[i].low, end), out[i].high);
        end = fmax(end, out[i].high);
    }
    return count;
}

// integral of |x - c|^n over a part
static double moment(const Part *part, double c, int n) {
    double a = part->low - c, b = part->high - c;
    double fa = a * pow(fabs(a), n), fb = b * pow(fabs(b), n);
    return (fb - fa) / (n + 1);
}

// The line from p to q: its point between them at the fraction s. Between round edges that are not
// quite parallel the gap is that of their centre lines there.
static LitheContactPoint between(const LitheLine *line, const LitheContactPoint *p,
                                 const LitheContactPoint *q, double s) {
    double round = line->round_a + line->round_b;
    LitheContactPoint out = *p;
    Vec3 a = v3_mix(v3_axpy(-line->round_a, p->normal, p->on_a),
                    v3_axpy(-line->round_a, q->normal, q->on_a), s);
    Vec3 d = v3_mix(v3_scale(p->gap + round, p->normal), v3_scale(q->gap + round, q->normal), s);
    double far = v3_norm(d);
    bool turns = v3_distance(p->normal, q->normal) > 1e-12 && round > 0 && far > 1e-9 * round;
    out.normal = turns ? v3_scale(1 / far, d) : p->normal;
    out.gap = turns ? far - round : p->gap + s * (q->gap - p->gap);
    out.on_a = v3_axpy(line->round_a, out.normal, a);
    out.on_b = v3_axpy(out.gap, out.normal, out.on_a);
    return out;
}

// 1: the shapes are parallel along the line; 0: so far from it that they touch at a point
static double flat_of(const LitheLine *line, const LitheContactPoint *p, const LitheContactPoint *q,
                      double length) {
    double round = line->round_a + line->round_b;
    double tilt = (q->gap - p->gap) / length, skew = round * v3_distance(p->normal, q->normal);
    return fmax(0, 1 - hypot(tilt, skew / length) / LITHE_PATCH_GONE);
}

// leaves the pieces with another normal
static void drop_pieces(LitheLine *line, Vec3 normal) {
    int kept = 0;
    for (int i = 0; i < line->count; i++)
        if (v3_dot(line->end[i][0].normal, normal) < SAME_NORMAL) {
            line->end[kept][0] = line->end[i][0];
            line->end[kept++][1] = line->end[i][1];
        }
    line->count = kept;
}

// records the pieces of a line with the centre c along it
static void note_line(LitheRegion *region, const Part *parts, int count, double c,
                      const LitheContactPoint ends[2]) {
    Vec3 along = v3_unit(v3_sub(ends[1].on_a, ends[0].on_a)), n = ends[0].normal;
    region->u = v3_unit(v3_axpy(-v3_dot(along, n), n, along));
    region->v = v3_cross(n, region->u);
    region->centre = v3_axpy(c - parts[0].low, along, ends[0].on_a);
    region->pieces = count;
    for (int i = 0; i < count; i++) {
        region->piece[i][0] = parts[i].low - c;
        region->piece[i][1] = parts[i].high - c;
    }
}

static bool spread(const LitheLine *line, const Part *parts, int count, LitheContactPoint out[4]) {
    double sum = 0, c = 0, first = 0, second = 0, high = parts[0].high, w, s;
    const LitheContactPoint *p = parts[0].first, *q = parts[0].last;
    for (int i = 0; i < count; i++) {
        double length = parts[i].high - parts[i].low;
        sum += length;
        c += length * 0.5 * (parts[i].low + parts[i].high);
        if (parts[i].high > high) {
            high = parts[i].high;
            q = parts[i].last;
        }
    }
    c /= sum;
    for (int i = 0; i < count; i++) {
        first += moment(&parts[i], c, 1) / sum;
        second += moment(&parts[i], c, 2) / sum;
    }
    double low = parts[0].low, length = high - low, share[2];
    double flat = flat_of(line, p, q, length);
    share[1] = (c - low) / length; // (26)
    share[0] = 1 - share[1];
    double r1 = 2 * share[0] * share[1] * length, r2 = share[0] * share[1] * length * length;
    if (!(flat > 0) || !lithe_patch_weights(first / r1, second / r2, 1e-9, &w, &s))
        return false;
    for (int k = 0; k < 2; k++) {
        const LitheContactPoint *end = k ? q : p;
        double at = k ? c + s * (high - c) : c - s * (c - low); // (18)
        LitheContactPoint *inner = &out[2 + k];
        *inner = between(line, p, q, (at - low) / length);
        inner->weight = flat * 2 * share[k] * (1 - w);
        inner->feature = end->feature ^ LITHE_INNER_FEATURE;
        out[k] = *end;
        out[k].weight = 1 + flat * (2 * share[k] - 1) - inner->weight;
    }
    if (line->region) {
        note_line(line->region, parts, count, c, out);
        line->region->flat = flat;
    }
    return true;
}

bool lithe_line_spread(LitheLine *line, LitheContactPoint out[4]) {
    Part parts[LITHE_LINE_MAX];
    int base = pick_base(line);
    Vec3 normal = line->end[base][0].normal;
    bool done = length_of(line, base) > 0 && spread(line, parts, parts_of(line, base, parts), out);
    drop_pieces(line, normal);
    return done;
}

bool lithe_line_has(const LitheContactPoint line[2], const LitheContactPoint *point) {
    Vec3 along = v3_sub(line[1].on_b, line[0].on_b), x = v3_sub(point->on_b, line[0].on_b);
    double size = v3_norm(along);
    Vec3 axis = v3_scale(1 / size, along);
    double s = v3_dot(axis, x);
    return s > -ON_LINE * size && s < (1 + ON_LINE) * size &&
           v3_norm(v3_axpy(-s, axis, x)) <= ON_LINE * size &&
           v3_dot(point->normal, line[0].normal) > SAME_NORMAL;
}
