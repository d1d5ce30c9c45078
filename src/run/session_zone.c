// SPDX-License-Identifier: Apache-2.0
// run/session_zone.c - contacts that are too narrow for a mesh
//
// A contact of the radius a on a half-space with the pressure of Hertz has a displacement whose
// waves are as short as a. With F its force, E* = E/(1 - nu^2), d the distance of the nodes:
//     (S78)  U = 3/10 F^2/(E* a)                 energy of the contact, in full 2/5 F delta
//     (S79)  missing = U 5/(3 pi) integral from X to infinity of g^2 dx, X = 2 pi a/(4 d),
//            g = 3 (sin x - x cos x)/x^3         the part in waves shorter than 4 d
//     (S93)  a = sqrt(A/pi), A the sum of the areas of the points that carry a force
// docs/theory/solids.md

#include "run/session.h"

#include "body/unit.h"
#include "data/model.h"
#include "data/thing.h"

#include <math.h>

// X from which on less than 1e-4 is missing
#define WIDE 12.0
// of the integral of (S79) by Simpson's rule
enum { INTERVALS = 64 };

static double hertz_wave(double x) {
    double g = x < 1e-3 ? 1 : 3 * (sin(x) - x * cos(x)) / (x * x * x);
    return g * g;
}

// (S79) over U
static double short_waves(double X) {
    double sum = 0, h = X / INTERVALS;
    if (X >= WIDE)
        return 0;
    for (int i = 0; i <= INTERVALS; i++)
        sum += (i == 0 || i == INTERVALS ? 1 : i % 2 ? 4 : 2) * hertz_wave(i * h);
    return fmax(0, 1 - 5 / (3 * M_PI) * sum * h / 3);
}

static bool is_of(const LitheContactSide *side, LitheThing thing) {
    return side->thing.kind == thing.kind && side->thing.number == thing.number;
}

static double modulus_of(const LitheModel *model, LitheThing body) {
    for (int32_t i = 0; i < model->geom_count; i++)
        if (model->geoms[i].body == body.number - 1)
            return model->geoms[i].touch.modulus;
    return INFINITY;
}

// Where a thing touches a body.
typedef struct Zone {
    double stiffness, force;  // sums
    double by_area, by_force; // sums of both times the squared distance from the middle of the area
    int32_t count;
} Zone;

static Zone zone_of(const LitheWork *work, LitheThing own, LitheThing body) {
    Zone z = {0};
    Vec3 middle = v3(0, 0, 0);
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < lithe_work_contact_count(work); i++) {
            LitheContactForce c = lithe_work_contact(work, i);
            bool both = (is_of(&c.contact.a, own) && is_of(&c.contact.b, body)) ||
                        (is_of(&c.contact.b, own) && is_of(&c.contact.a, body));
            if (!both || c.contact.area > 0 || !(c.normal > 0)) // points with a force
                continue;
            double k = c.contact.stiffness; // in proportion to its area
            if (pass == 0) {
                z.stiffness += k;
                z.force += c.normal;
                z.count++;
                middle = v3_axpy(k, c.contact.point, middle);
            } else {
                Vec3 d = v3_axpy(-1 / z.stiffness, middle, c.contact.point);
                z.by_area += k * v3_dot(d, d);
                z.by_force += c.normal * v3_dot(d, d);
            }
        }
    return z;
}

// Whether the pressure falls towards the rim, as where round things touch: its mean of r^2 is 4/5
// of that of the area with the pressure of Hertz. On faces that lie flat it is even, or larger at
// the rim; one that rises to one side has the same mean about the middle of the area.
static bool falls(const Zone *z) {
    return z->count == 1 || z->by_force * z->stiffness < 0.99 * z->by_area * z->force;
}

double lithe_session_narrow(const LitheSession *session, LitheThing thing,
                            const LitheMeshError *of) {
    const LitheModel *model = session->model;
    double sum = 0;
    for (int32_t n = 1; n <= lithe_things_of_kind(model, LITHE_THING_BODY); n++) {
        LitheThing body = {LITHE_THING_BODY, n};
        Zone z = zone_of(session->work, thing, body);
        if (z.count == 0 || !falls(&z))
            continue;
        double soft = 1 / of->modulus + 1 / modulus_of(model, body);
        double a = sqrt(z.stiffness * soft * of->layer / M_PI);         // (S30), (S93)
        double energy = 0.3 * z.force * z.force / (of->modulus * a);    // (S78)
        double missing = short_waves(2 * M_PI * a / (4 * of->spacing)); // (S79)
        sum += fmin(energy, of->energy) * missing;
    }
    return sum;
}
