// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_maker.h - random numbers, text and places of a random world that is being made

#ifndef LITHE_CLI_WORLD_MAKER_H
#define LITHE_CLI_WORLD_MAKER_H

#include "cli/validate/worlds.h"
#include "math/quat.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { BALLS = 1024, PLACES = 128, THINGS = 32, ROD_NODES = 32, TREE_BODIES = 5, RODS = 8 };

typedef struct Ball {
    Vec3 at;
    double radius;
} Ball;

// a place that a tie can hold
typedef struct Place {
    char name[80];
    int thing; // -1: the world
    bool frame;
    Vec3 at;
} Place;

typedef struct Maker {
    uint64_t random;
    char *text;
    size_t length, capacity;
    bool failed;
    double L, V;
    bool ground;
    Vec3 up; // normal of the ground
    int materials;
    double young[3], density[3]; // of the materials
    Ball balls[BALLS];           // of everything placed so far
    int ball_count;
    Ball own[BALLS]; // of the thing that is being placed
    int own_count;
    Place places[PLACES];
    int place_count;
    int things;
    int joined[WORLD_JOINTS][2]; // things that a joint connects
    int joined_count;
    bool mixed;                   // all kinds of shapes and sections
    bool overlaps;                // things are placed anywhere
    bool held;                    // everything is held or on springs, for statics
    bool undamped;                // materials
    bool simple;                  // Coulomb friction alone
    bool rough;                   // the ground is a heightfield
    bool round;                   // rods have round sections
    int rod[RODS];                // numbers of the rods that were placed
    bool ring[RODS], clamp[RODS]; // of these: closed; with clamped ends
    int rod_count;
    bool one[WORLD_JOINTS], slides[WORLD_JOINTS]; // joints with one degree of freedom; along it
    int joint_count;
} Maker;

// --- numbers and text ----------------------------------------------------------------------------

// splitmix64
static inline uint64_t bits(Maker *m) {
    uint64_t z = m->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline double between(Maker *m, double low, double high) {
    return low + (high - low) * (double)(bits(m) >> 11) * 0x1p-53;
}

// uniform in the logarithm
static inline double scale_between(Maker *m, double low, double high) {
    return low * pow(high / low, between(m, 0, 1));
}

static inline bool chance(Maker *m, double p) {
    return between(m, 0, 1) < p;
}

static inline int pick(Maker *m, int count) {
    return (int)(bits(m) % (uint64_t)count);
}

static inline Vec3 direction(Maker *m) {
    for (;;) {
        Vec3 a = v3(between(m, -1, 1), between(m, -1, 1), between(m, -1, 1));
        double norm = v3_norm(a);
        if (norm > 0.1 && norm < 1)
            return v3_scale(1 / norm, a);
    }
}

LITHE_PRINTF(2, 3)
static inline void put(Maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(m->text + m->length, m->capacity - m->length, format, arguments);
    va_end(arguments);
    if (more < 0 || m->length + (size_t)more >= m->capacity)
        m->failed = true;
    else
        m->length += (size_t)more;
}

static inline void put_vector(Maker *m, const char *key, Vec3 a) {
    put(m, "%s[%.9g, %.9g, %.9g]", key, a.x, a.y, a.z);
}

// --- places --------------------------------------------------------------------------------------

static inline bool is_clear(const Maker *m, Vec3 shift) {
    for (int i = 0; i < m->own_count; i++) {
        Vec3 at = v3_add(m->own[i].at, shift);
        if (m->ground && v3_dot(m->up, at) < 1.02 * m->own[i].radius)
            return false;
        for (int k = 0; k < m->ball_count; k++)
            if (v3_distance(at, m->balls[k].at) < 1.02 * (m->own[i].radius + m->balls[k].radius))
                return false;
    }
    return true;
}

static inline void cover(Maker *m, Vec3 at, double radius) {
    if (m->own_count < BALLS)
        m->own[m->own_count++] = (Ball){at, radius};
}

static inline void keep(Maker *m, Vec3 shift) {
    for (int i = 0; i < m->own_count && m->ball_count < BALLS; i++)
        m->balls[m->ball_count++] = (Ball){v3_add(m->own[i].at, shift), m->own[i].radius};
}

// moves the thing to a random place where it overlaps nothing; false: there is none
static inline bool settle(Maker *m, Vec3 *shift) {
    for (int attempt = 0; attempt < 200; attempt++) {
        double spread = m->L * (0.25 + 0.005 * attempt);
        *shift = v3(between(m, -spread, spread), between(m, -spread, spread),
                    m->ground ? between(m, 0, 2 * spread) : between(m, -spread, spread));
        if (is_clear(m, *shift) || m->overlaps) {
            keep(m, *shift);
            return true;
        }
    }
    return false;
}

static inline void add_place(Maker *m, int thing, bool frame, Vec3 at, const char *name) {
    if (m->place_count == PLACES)
        return;
    Place *place = &m->places[m->place_count++];
    *place = (Place){.thing = thing, .frame = frame, .at = at};
    snprintf(place->name, sizeof place->name, "%s", name);
}

// half of the velocities point to the middle, so that things meet
static inline Vec3 velocity(Maker *m, Vec3 at) {
    Vec3 middle = v3(0, 0, m->ground ? 0.3 * m->L : 0), to = v3_sub(middle, at);
    bool inward = chance(m, 0.6) && v3_norm(to) > 0.01 * m->L;
    return v3_scale(m->V * between(m, 0.1, 1.5), inward ? v3_unit(to) : direction(m));
}

static inline void write_points(Maker *m, const Vec3 *at, int count, Vec3 shift) {
    put(m, "[");
    for (int i = 0; i < count; i++)
        put_vector(m, i ? ", " : "", v3_add(at[i], shift));
    put(m, "]");
}

/// Some materials, rods, sets of particles, and constraints of places; the last says whether there
/// are any.
void lithe_world_materials(Maker *m);
void lithe_world_rods(Maker *m, int count);
void lithe_world_particles(Maker *m, int sets);
bool lithe_world_ties(Maker *m, int count);

/// Bodies that are free, and trees of bodies on joints; with the ground, if there is one.
void lithe_world_bodies(Maker *m, int loose, int trees);

#endif
