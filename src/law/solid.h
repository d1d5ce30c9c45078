// SPDX-License-Identifier: Apache-2.0
// law/solid.h - material laws of soft solids: energy density of the deformation gradient F
//
// Formulas (H1) to (H25): docs/theory/solids.md. Each law is a row of lithe_solid_laws:
//   corotated-lagged         (H1)  linear in F; the rotation is that of the start of the step
//   corotated                (H4)  the same with the rotation of F
//   neo-hookean              (H11) mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2
//   mooney-rivlin            (H12) stress-free at rest without isochoric invariants
//   mooney-rivlin-isochoric  (H13) the textbook form
// Many linear tetrahedra at once: law/solid_fast.h.

#ifndef LITHE_LAW_SOLID_H
#define LITHE_LAW_SOLID_H

#include "math/mat3.h"

#include <stdint.h>

enum { LITHE_SOLID_LAWS = 5 };

/// Least sum of two stretches in the Hessian of `corotated`, see solid_corotated.c; smaller ones
/// overflow in products.
#define LITHE_COROTATED_LEAST 1e-6

/// Least det (tr S I - S) of a stretch S, 8 at rest, that determines how fast its frame turns.
#define LITHE_LEAST_TURN 1e-6

/// Constants of a law [Pa]; each law reads only its own.
typedef struct LitheSolidMaterial {
    double mu, lambda; // Lame constants: corotated-lagged, corotated, neo-hookean
    double c1, c2;     // both Mooney-Rivlin laws
    double bulk;       // both; the bulk modulus only of the isochoric one, see lithe_solid_moduli
} LitheSolidMaterial;

/// Arguments of a law of invariants. `first` and `second` are of second order in the strain:
/// computed from F'F - I without the cancellation that leaves only the rounding error of W near
/// rest.
typedef struct LitheInvariants {
    double I1, I2, J;
    double growth; // J - 1
    double first;  // I1 - 3 - 2 (J - 1)
    double second; // I2 - 3 - 4 (J - 1)
} LitheInvariants;

/// dW/d(I1, I2, J), and second derivatives in the order 11 12 1J 22 2J JJ.
typedef struct LitheInvariantSlopes {
    double d[3], dd[6];
} LitheInvariantSlopes;

typedef struct LitheSolidLaw {
    const char *name;
    bool lagged;     // `evaluate` reads R; else R may be NULL
    bool has_lame;   // reads mu and lambda; else c1, c2, bulk
    bool invertible; // finite also where det F <= 0
    bool upright;    // finite there, but no step may end there

    /// Energy density at F [J/m^3], INFINITY outside of the domain (then P and hessian are
    /// untouched). `P` [Pa]: first Piola stress dW/dF. `hessian` [9*9] dP/dF, symmetric, with F_ij
    /// at 3 j + i; exact, or with its negative eigenvalues set to zero with `project`. P and
    /// hessian may be NULL. A lagged law is quadratic in F: `hessian` does not depend on F.
    double (*evaluate)(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project);

    /// Laws of invariants: W and its derivatives, from which all else follows; else NULL. INFINITY
    /// outside of the domain, with `w` untouched. With `flat` W does not depend on I2.
    double (*slopes)(const LitheSolidMaterial *m, const LitheInvariants *v,
                     LitheInvariantSlopes *w);
    bool flat;

    /// Volumetric part U of W, and dU/dtheta, d2U/dtheta2 (H20); INFINITY outside of the domain.
    double (*volume)(const LitheSolidMaterial *m, double theta, double *dU, double *ddU);

    /// Lame constants of the linearisation at rest.
    void (*moduli)(const LitheSolidMaterial *m, double *mu, double *lambda);
} LitheSolidLaw;

extern const LitheSolidLaw *const lithe_solid_laws[LITHE_SOLID_LAWS];

/// Index of the law of that name; -1: none.
int32_t lithe_solid_law_find(const char *name);

/// Constants that give this Young's modulus [Pa] and Poisson's ratio (-1 < nu < 1/2) at small
/// strain. Mooney-Rivlin: c1 = c2 = mu/4.
LitheSolidMaterial lithe_solid_material(const LitheSolidLaw *law, double young, double poisson);

/// Young's modulus [Pa] and Poisson's ratio at small strain: the inverse of the above.
void lithe_solid_young(const LitheSolidLaw *law, const LitheSolidMaterial *m, double *young,
                       double *poisson);

/// The law without its volumetric part.
static inline LitheSolidMaterial lithe_solid_shape(const LitheSolidMaterial *m) {
    LitheSolidMaterial shape = *m;
    shape.lambda = shape.bulk = 0;
    return shape;
}

/// Relative volume theta of a law and dtheta/dF: J and cof F; of the corotated laws R:F - 2 and R.
double lithe_solid_theta(const LitheSolidLaw *law, const Mat3 *F, const Mat3 *R, Mat3 *slope);

/// As `evaluate`, of the energy W - U(theta) + pressure theta with a given pressure [Pa]; returns
/// W - U. For volumetric parts that are averaged over several elements, see law/solid_mean.h.
double lithe_solid_evaluate_shape(const LitheSolidLaw *law, const LitheSolidMaterial *m,
                                  const Mat3 *F, const Mat3 *R, double pressure, Mat3 *P,
                                  double *hessian, bool project);

/// Of a lagged law, dP/dF in the frame R times the part of the rate of F along a chord that comes
/// from its rotation within a step h (S66); `rate` is dF/dt at F. 0 where R'F does not determine
/// how fast it turns. `power` gets its product with that part.
Mat3 lithe_solid_chord_stress(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *rate,
                              const Mat3 *R, double h, double *power);

/// (H24): the Hessian [81] of `evaluate` becomes that of strains alone, 0 for rigid rotations of F,
/// and stays positive semidefinite. Nothing changes where F has only one nonzero singular value.
void lithe_solid_remove_turns(const Mat3 *F, double *hessian);

// the rows, one file each
extern const LitheSolidLaw lithe_solid_corotated_lagged, lithe_solid_corotated,
    lithe_solid_neo_hookean, lithe_solid_mooney_rivlin, lithe_solid_mooney_rivlin_isochoric;

/// `evaluate` of the corotated law plus pressure (R:F - 3), which is not part of the result.
double lithe_solid_corotated_with(const LitheSolidMaterial *m, const Mat3 *F, double pressure,
                                  Mat3 *P, double *hessian, bool project);

#endif
