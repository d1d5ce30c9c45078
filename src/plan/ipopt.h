// SPDX-License-Identifier: Apache-2.0
// plan/ipopt.h - the same problem by IPOPT, a reference, where its library is found at run time
//
// Its licence is the Eclipse Public License: it is neither linked nor part of Lithe.

#ifndef LITHE_PLAN_IPOPT_H
#define LITHE_PLAN_IPOPT_H

#include "plan/nlp.h"

/// Whether the library is there. `reason` receives why not.
bool lithe_ipopt_found(const char **reason);

/// What an iteration has reached.
typedef struct LitheIpoptState {
    int32_t iteration;
    double cost, violation;
} LitheIpoptState;

typedef struct LitheIpoptSetting {
    double barrier;     // at the start
    double last;        // barrier at the end; 0: its own
    double tolerance;   // of the solution
    double violation;   // of the constraints; 0: 1e-9
    int32_t iterations; // at most
    double seconds;     // at most; infinite: no limit
    bool warm;          // starts from the multipliers given
    const char *check;  // file that receives the report of its second-order check of derivatives
    bool (*report)(void *user, const LitheIpoptState *state); // or NULL; false stops
    void *user;
} LitheIpoptSetting;

typedef struct LitheIpoptResult {
    int32_t status; // its own: 0 solved, 1 solved to an acceptable level
    int32_t iterations;
    double cost;
} LitheIpoptResult;

/// Solves from x, which receives the solution, as do the multipliers. False without the library.
bool lithe_ipopt_solve(LitheNlp *nlp, const LitheIpoptSetting *setting, double *x,
                       LitheNlpMultipliers *multipliers, LitheIpoptResult *result);

#endif
