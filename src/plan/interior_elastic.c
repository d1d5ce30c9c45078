// SPDX-License-Identifier: Apache-2.0
// plan/interior_elastic.c - inequalities that may be violated at a price
//
// g + t = s with t >= 0, which costs `price` each: the multiplier z stays below the price, and the
// relaxed problem has an interior whatever g is. t is eliminated as s is: the matrix keeps its
// size.

#include "plan/interior_parts.h"

#include <math.h>

// Multipliers of products are 3 to 50 along most solves. A price far above them makes the problem
// as stiff as hard rows are; below them rows stay violated until it is raised.
#define PRICE_FIRST 100
#define PRICE_LAST 1e9

// on the central path: mu/s + mu/t = price, s - t = g
void lithe_elastic_centre(LitheInterior *interior, double barrier, int64_t i) {
    LithePoint *now = &interior->now;
    double price = interior->price[i], g = price * interior->at.g[i];
    double root = hypot(g, 2 * barrier);
    // the smaller one without cancellation: (root + g)(root - g) = 4 mu^2
    double plus = g >= 0 ? root + g : 4 * barrier * barrier / (root - g);
    double less = g >= 0 ? 4 * barrier * barrier / (root + g) : root - g;
    now->s[i] = (2 * barrier + plus) / (2 * price);
    now->t[i] = (2 * barrier + less) / (2 * price);
    now->z[i] = barrier / now->s[i];
}

// weight of the squares of inequalities in Newton's matrix
void lithe_interior_weights(LitheInterior *interior) {
    const LithePoint *now = &interior->now;
    for (int64_t i = 0; i < interior->q; i++) {
        double w = interior->price[i] - now->z[i];
        interior->weight[i] = interior->price[i] > 0 ? 1 / (now->s[i] / now->z[i] + now->t[i] / w)
                                                     : now->z[i] / now->s[i];
    }
}

// s and t where g has changed
void lithe_interior_stretch(LitheInterior *interior, const LitheStageValues *values,
                            LithePoint *point) {
    for (int64_t i = 0; i < interior->q; i++)
        if (interior->price[i] > 0) {
            double miss = values->g[i] + point->t[i] - point->s[i];
            if (miss > 0)
                point->s[i] += miss;
            else
                point->t[i] -= miss;
        }
}

void lithe_interior_prices(LitheInterior *interior) {
    const bool *elastic = interior->problem.elastic;
    for (int64_t i = 0; i < interior->q; i++)
        interior->price[i] =
            elastic != NULL && elastic[i % interior->problem.inequalities] ? PRICE_FIRST : 0;
}

bool lithe_interior_dearer(LitheInterior *interior, double barrier, double violation) {
    bool any = false;
    for (int64_t i = 0; i < interior->q; i++)
        if (interior->price[i] > 0 && interior->price[i] < PRICE_LAST &&
            (interior->now.z[i] > 0.5 * interior->price[i] || interior->at.g[i] < -violation)) {
            interior->price[i] *= 10;
            lithe_elastic_centre(interior, barrier, i);
            any = true;
        }
    return any;
}

bool lithe_interior_priceless(const LitheInterior *interior, double violation) {
    for (int64_t i = 0; i < interior->q; i++)
        if (interior->price[i] >= PRICE_LAST && interior->at.g[i] < -violation)
            return true;
    return false;
}
