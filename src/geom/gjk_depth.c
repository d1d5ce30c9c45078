// SPDX-License-Identifier: Apache-2.0
// geom/gjk_depth.c - smallest translation that separates two convex cores: an expanding polytope
//
// The cores overlap where their Minkowski difference a - b contains the origin. The depth is then
// the distance from the origin to the boundary of a - b,
//   depth = min over unit n of h(n),  h(n) = max over x in a - b of n.x           (8)
// A polytope that contains the origin, with all corners on the boundary of a - b, is expanded at
// the face nearest to the origin. With n the normal of this face,
//   distance of the face from the origin <= depth <= h(n)                          (9)
// The n of the smallest h(n) found is the result: moving b by h(n) n separates the cores.

#include "geom/distance.h"

#include "base/assert.h"

enum { MAX_POINTS = 192, MAX_FACES = 2 * MAX_POINTS };

typedef struct Face {
    int16_t corner[3];
    int16_t next[3]; // face across the edge from corner[k] to corner[k + 1]
    Vec3 normal;
    double distance; // of its plane from the origin; INFINITY: removed, or a face without area
    bool alive;      // part of the polytope
    bool seen;       // visible from the new corner
} Face;

typedef struct Polytope {
    LitheGjkPoint point[MAX_POINTS];
    Face face[MAX_FACES];
    int point_count, face_count;
    int spare[MAX_FACES], spare_count; // removed faces, for reuse
    double size;                       // length that tolerances are relative to
} Polytope;

// --- first tetrahedron ---------------------------------------------------------------------------

// distance of w from the line through the first two points
static double off_line(const LitheSimplex *s, Vec3 w) {
    Vec3 d = v3_sub(s->p[1].w, s->p[0].w);
    return v3_norm(v3_cross(v3_unit(d), v3_sub(w, s->p[0].w)));
}

// adds one of the support points along the directions: the one farthest from the point, line or
// plane of the simplex; false: none is farther than `min`
static bool extend(const LitheCorePair *pair, const Vec3 *directions, int count, double min,
                   LitheSimplex *s) {
    double max = min;
    LitheGjkPoint best = {0};
    for (int i = 0; i < count; i++) {
        LitheGjkPoint p = lithe_gjk_support(pair, directions[i]);
        double measure = s->count == 1   ? v3_distance(p.w, s->p[0].w)
                         : s->count == 2 ? off_line(s, p.w)
                                         : v3_dot(directions[i], v3_sub(p.w, s->p[0].w));
        if (measure > max) {
            max = measure;
            best = p;
        }
    }
    if (max > min)
        s->p[s->count++] = best;
    return max > min;
}

// completes the simplex to a tetrahedron; false: a - b is flat, `normal` is perpendicular to it
static bool complete(const LitheCorePair *pair, double size, LitheSimplex *s, Vec3 *normal) {
    double min = 1e-10 * size;
    if (s->count == 4) {
        // a flat simplex restarts from its first three corners
        Vec3 n = v3_cross(v3_sub(s->p[1].w, s->p[0].w), v3_sub(s->p[2].w, s->p[0].w));
        if (fabs(v3_dot(v3_unit(n), v3_sub(s->p[3].w, s->p[0].w))) <= min)
            s->count = 3;
    }
    if (s->count == 3 && off_line(s, s->p[2].w) <= min)
        s->count = 2;
    if (s->count >= 2 && v3_distance(s->p[0].w, s->p[1].w) <= min)
        s->count = 1;
    if (s->count == 1) {
        Vec3 axis[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        *normal = v3(0, 0, 1);
        if (!extend(pair, axis, 6, min, s))
            return false;
    }
    if (s->count == 2) {
        Vec3 d = v3_unit(v3_sub(s->p[1].w, s->p[0].w)), u = v3_any_normal(d), v = v3_cross(d, u);
        Vec3 around[6];
        for (int i = 0; i < 6; i++)
            around[i] = v3_add(v3_scale(cos(M_PI / 3 * i), u), v3_scale(sin(M_PI / 3 * i), v));
        *normal = u;
        if (!extend(pair, around, 6, min, s))
            return false;
    }
    if (s->count == 3) {
        Vec3 n = v3_unit(v3_cross(v3_sub(s->p[1].w, s->p[0].w), v3_sub(s->p[2].w, s->p[0].w)));
        Vec3 both[2] = {n, v3_neg(n)};
        *normal = n;
        if (!extend(pair, both, 2, min, s))
            return false;
    }
    return true;
}

// --- polytope ------------------------------------------------------------------------------------

static int add_face(Polytope *p, int i, int j, int k) {
    int id = p->spare_count > 0 ? p->spare[--p->spare_count] : p->face_count++;
    Vec3 a = p->point[i].w, b = p->point[j].w, c = p->point[k].w;
    Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double twice_area = v3_norm(n);
    Face face = {.corner = {(int16_t)i, (int16_t)j, (int16_t)k}, .alive = true};
    face.distance = INFINITY;
    if (twice_area > 1e-15 * p->size * p->size) {
        face.normal = v3_scale(1 / twice_area, n);
        face.distance = v3_dot(face.normal, a);
    }
    p->face[id] = face;
    return id;
}

static void begin(Polytope *p, const LitheSimplex *s) {
    for (int i = 0; i < 4; i++)
        p->point[i] = s->p[i];
    p->point_count = 4;
    Vec3 a = s->p[0].w;
    Vec3 n = v3_cross(v3_sub(s->p[1].w, a), v3_sub(s->p[2].w, a));
    if (v3_dot(n, v3_sub(s->p[3].w, a)) > 0) {
        p->point[1] = s->p[2];
        p->point[2] = s->p[1];
    }
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int16_t next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        int id = add_face(p, corner[i][0], corner[i][1], corner[i][2]);
        for (int k = 0; k < 3; k++)
            p->face[id].next[k] = next[i][k];
    }
}

static int nearest_face(const Polytope *p) {
    int best = -1;
    double min = INFINITY;
    for (int i = 0; i < p->face_count; i++)
        if (p->face[i].alive && p->face[i].distance < min) {
            min = p->face[i].distance;
            best = i;
        }
    return best;
}

// finds the faces that are visible from the new corner w and connected to `first`; returns their
// number
static int find_seen(Polytope *p, int first, Vec3 w, int *seen) {
    int count = 0, done = 0;
    p->face[first].seen = true;
    seen[count++] = first;
    while (done < count) {
        const Face *face = &p->face[seen[done++]];
        for (int k = 0; k < 3; k++) {
            Face *other = &p->face[face->next[k]];
            // a face without area is removed with any removed neighbour
            bool visible = other->distance == INFINITY ||
                           v3_dot(other->normal, w) - other->distance > 1e-14 * p->size;
            if (other->seen || !visible)
                continue;
            other->seen = true;
            seen[count++] = face->next[k];
        }
    }
    return count;
}

// replaces the faces visible from the new corner w by faces that end at w; false: the fixed arrays
// are full, or the border of the visible faces (the horizon) is not a simple loop
static bool expand(Polytope *p, int first, LitheGjkPoint w) {
    if (p->point_count == MAX_POINTS)
        return false;
    int seen[MAX_FACES], seen_count = find_seen(p, first, w.w, seen);
    // start[corner]: the new face whose edge on the horizon starts at that corner
    int16_t start[MAX_POINTS];
    for (int i = 0; i < p->point_count; i++)
        start[i] = -1;
    int horizon_face[MAX_FACES], horizon_edge[MAX_FACES], horizon = 0;
    bool simple = true;
    for (int i = 0; i < seen_count; i++)
        for (int k = 0; k < 3; k++) {
            const Face *face = &p->face[seen[i]];
            if (p->face[face->next[k]].seen)
                continue;
            simple &= start[face->corner[k]] < 0;
            start[face->corner[k]] = 0;
            horizon_face[horizon] = seen[i];
            horizon_edge[horizon++] = k;
        }
    int free_faces = MAX_FACES - p->face_count + p->spare_count;
    if (!simple || horizon < 3 || horizon > free_faces)
        return false;
    p->point[p->point_count] = w;
    int made[MAX_FACES];
    for (int i = 0; i < horizon; i++) {
        const Face old = p->face[horizon_face[i]];
        int k = horizon_edge[i], from = old.corner[k], to = old.corner[(k + 1) % 3];
        made[i] = add_face(p, from, to, p->point_count);
        start[from] = (int16_t)made[i];
        p->face[made[i]].next[0] = old.next[k];
        Face *beyond = &p->face[old.next[k]];
        for (int j = 0; j < 3; j++)
            if (beyond->corner[j] == to)
                beyond->next[j] = (int16_t)made[i];
    }
    for (int i = 0; i < horizon; i++) {
        int16_t after = start[p->face[made[i]].corner[1]];
        p->face[made[i]].next[1] = after;
        p->face[after].next[2] = (int16_t)made[i];
    }
    for (int i = 0; i < seen_count; i++) {
        p->face[seen[i]].alive = false;
        p->face[seen[i]].distance = INFINITY;
        p->spare[p->spare_count++] = seen[i];
    }
    p->point_count++;
    return true;
}

// --- result --------------------------------------------------------------------------------------

// depth where a - b is flat, of normal n
static void answer_flat(const LitheCorePair *pair, Vec3 n, LitheCoreDistance *out) {
    // n and -n give the same depth: take the one that points from a to b
    if (v3_dot(n, pair->at) < 0)
        n = v3_neg(n);
    LitheGjkPoint p = lithe_gjk_support(pair, n);
    out->distance = -fmax(0, v3_dot(p.w, n));
    out->normal = n;
}

// barycentric weights of a point of the face near `foot`: negative weights of `foot` are set to 0.
// Returns the distance between the two points, 0 if `foot` is on the face.
static double foot_weights(const Polytope *p, const Face *face, Vec3 foot, double weight[3]) {
    Vec3 c[3] = {p->point[face->corner[0]].w, p->point[face->corner[1]].w,
                 p->point[face->corner[2]].w};
    Vec3 reached = {0, 0, 0};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 u = c[(k + 1) % 3], v = c[(k + 2) % 3];
        weight[k] = fmax(0, v3_dot(v3_cross(v3_sub(v, u), v3_sub(foot, u)), face->normal));
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++) {
        weight[k] = sum > 0 ? weight[k] / sum : 1.0 / 3;
        reached = v3_axpy(weight[k], c[k], reached);
    }
    return v3_distance(reached, foot);
}

// the point of core a that belongs to `foot`, which is depth times the normal of face `best`; of
// several coplanar faces, the one that contains `foot` (or comes nearest to it) is used
static Vec3 foot_on_a(const Polytope *p, const Face *best, double depth) {
    Vec3 foot = v3_scale(depth, best->normal), on_a = {0, 0, 0};
    double weight[3], min = foot_weights(p, best, foot, weight);
    Face chosen = *best;
    for (int i = 0; i < p->face_count; i++) {
        double other[3];
        if (!p->face[i].alive || p->face[i].distance > depth + 1e-9 * p->size)
            continue;
        double miss = foot_weights(p, &p->face[i], foot, other);
        if (miss < min) {
            min = miss;
            chosen = p->face[i];
            for (int k = 0; k < 3; k++)
                weight[k] = other[k];
        }
    }
    for (int k = 0; k < 3; k++)
        on_a = v3_axpy(weight[k], p->point[chosen.corner[k]].a, on_a);
    return on_a;
}

// a point of both cores, where a - b is flat and contains the origin: from the weights of the
// simplex
static Vec3 common_point(const LitheSimplex *s) {
    Vec3 on_a = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        on_a = v3_axpy(s->weight[i], s->p[i].a, on_a);
    return on_a;
}

// If the boundary of a - b has nearly the same distance from the origin in all directions, the
// polytope needs more faces than fit. Such a boundary is smooth, and gradient descent minimises h.
// With s the support point along n, the gradient of h on the unit sphere is s - (s.n) n, zero where
// s is parallel to n. Step lengths are those of Barzilai and Borwein, halved until h falls. False:
// h ended above `min`, and nothing is changed; or h ended at a kink: `normal` and `min` are set,
// but `on_a` is not where the cores touch.
static bool go_downhill(const LitheCorePair *pair, double size, Vec3 *normal, double *min,
                        Vec3 *on_a) {
    Vec3 n = *normal;
    LitheGjkPoint s = lithe_gjk_support(pair, n);
    double h = v3_dot(s.w, n), step = 1 / size;
    Vec3 gradient = v3_axpy(-h, n, s.w);
    for (int i = 0; i < 200 && v3_norm(gradient) > 1e-9 * size; i++) {
        Vec3 next_n;
        LitheGjkPoint next_s;
        double next_h = INFINITY;
        for (int k = 0; k < 40 && !(next_h < h); k++, step *= 0.5) {
            next_n = v3_unit(v3_axpy(-step, gradient, n));
            next_s = lithe_gjk_support(pair, next_n);
            next_h = v3_dot(next_s.w, next_n);
        }
        if (!(next_h < h))
            break;
        Vec3 next_gradient = v3_axpy(-next_h, next_n, next_s.w);
        Vec3 change = v3_sub(next_n, n), gradient_change = v3_sub(next_gradient, gradient);
        double along = v3_dot(change, gradient_change);
        step = along > 0 ? v3_dot(change, change) / along : 4 * step;
        n = next_n;
        s = next_s;
        h = next_h;
        gradient = next_gradient;
    }
    if (h > *min)
        return false;
    *normal = n;
    *min = h;
    *on_a = s.a;
    // at a kink of h the gradient does not vanish, and s.a is not where the cores touch
    return v3_norm(gradient) <= 1e-7 * size;
}

// the larger of two distances: of x from core a, and of the point x - depth n from core b
static double outside(const LitheCorePair *pair, Vec3 n, double depth, Vec3 x) {
    LitheNearest a, b;
    Vec3 y = v3_sub(v3_axpy(-depth, n, x), pair->at);
    lithe_core_nearest(pair->a, x, &a);
    lithe_core_nearest(pair->b, m3_apply_transposed(&pair->r, y), &b);
    return fmax(a.distance, b.distance);
}

// the corners of a core's feature along d that lie in its support plane perpendicular to d
static int in_plane(const LitheCore *core, Vec3 d, double size, Vec3 out[LITHE_FEATURE_MAX]) {
    uint32_t id;
    Vec3 top = lithe_core_support(core, d);
    int all = lithe_core_feature(core, d, out, &id), count = 0;
    for (int i = 0; i < all; i++)
        if (v3_dot(d, v3_sub(top, out[i])) <= 1e-7 * size)
            out[count++] = out[i];
    if (count == 0)
        out[count++] = top;
    return count;
}

// Where core a is curved, foot_on_a returns a point inside it: the flat faces of the polytope cut
// off the boundary. So this point, x, is moved along n to the support plane of a, where the cores
// touch once b has moved by depth n. If it then lies outside one of the cores, the mean of the
// points in which both cores meet that plane is used instead, if it is nearer to them.
static Vec3 settle(const LitheCorePair *pair, Vec3 n, double depth, double size, Vec3 x) {
    Vec3 top = lithe_gjk_support(pair, n).a, a[LITHE_FEATURE_MAX], b[LITHE_FEATURE_MAX];
    x = v3_axpy(v3_dot(n, v3_sub(top, x)), n, x);
    double miss = outside(pair, n, depth, x);
    if (miss <= 1e-10 * size)
        return x;
    int a_count = in_plane(pair->a, n, size, a);
    int b_count = in_plane(pair->b, m3_apply_transposed(&pair->r, v3_neg(n)), size, b);
    for (int i = 0; i < b_count; i++)
        b[i] = v3_axpy(depth, n, v3_add(pair->at, m3_apply(pair->r, b[i])));
    LitheOverlapPoint over[LITHE_OVERLAP_MAX] = {{.on_a = a_count == 1 ? a[0] : b[0]}};
    int count = 1;
    if (a_count > 1 && b_count > 1)
        count = lithe_feature_overlap(a, a_count, b, b_count, n, over);
    Vec3 mean = {0, 0, 0};
    for (int i = 0; i < count; i++)
        mean = v3_axpy(1.0 / count, over[i].on_a, mean);
    return count > 0 && outside(pair, n, depth, mean) < miss ? mean : x;
}

void lithe_gjk_depth(const LitheCorePair *pair, const LitheSimplex *simplex,
                     LitheCoreDistance *out) {
    LitheSimplex s = *simplex;
    double size = 0;
    for (int i = 0; i < s.count; i++)
        size = fmax(size, v3_norm(s.p[i].a) + v3_norm(s.p[i].b));
    Vec3 normal;
    if (!complete(pair, size, &s, &normal)) {
        answer_flat(pair, normal, out);
        out->on_a = simplex->count < 4 ? common_point(simplex) : simplex->p[0].a;
        out->on_b = v3_axpy(out->distance, out->normal, out->on_a);
        return;
    }
    Polytope p = {.size = size};
    begin(&p, &s);
    double min = INFINITY, nearest = -INFINITY;
    Face best = p.face[0];
    for (int step = 0; step < 2 * MAX_POINTS; step++) {
        int id = nearest_face(&p);
        if (id < 0)
            break;
        const Face *face = &p.face[id];
        LitheGjkPoint w = lithe_gjk_support(pair, face->normal);
        double h = v3_dot(w.w, face->normal); // (9)
        nearest = face->distance;
        if (h < min) {
            min = h;
            best = *face;
        }
        // converged: the bounds (9) agree
        if (min - nearest <= 1e-10 * size)
            break;
        if (!expand(&p, id, w))
            break;
    }
    out->on_a = foot_on_a(&p, &best, min);
    out->normal = best.normal;
    Vec3 on_a;
    if (min - nearest > 1e-10 * size && go_downhill(pair, size, &out->normal, &min, &on_a))
        out->on_a = on_a;
    out->on_a = settle(pair, out->normal, min, size, out->on_a);
    out->distance = -min;
    out->on_b = v3_axpy(out->distance, out->normal, out->on_a);
}
