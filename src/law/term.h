// SPDX-License-Identifier: Apache-2.0
// law/term.h - the cost terms of the convex contact solve: contacts with friction, holds, limits,
// drives, dry friction
//
// The solver minimises |w - w*|^2_A/2 + sum of l(v), v = J w the velocities of a term. A term
// is convex and once differentiable; its impulse is -dl/dv, its Hessian d2l/dv2. Formulas (V1) to
// (V18), (V34) to (V36), (V40) and what they mean: docs/theory/contact.md.
//
// Fill a term with one of the functions below in every step; its members are then read-only.

#ifndef LITHE_LAW_TERM_H
#define LITHE_LAW_TERM_H

#include <stdbool.h>
#include <stdint.h>

enum { LITHE_TERM_ROWS = 6 }; // max rows of a term

typedef enum LitheTermKind {
    LITHE_TERM_LAGGED,  // frictional contact, friction bounded by a given normal impulse
    LITHE_TERM_SAP,     // frictional contact, impulse projected on the friction cone (V8)
    LITHE_TERM_SIMILAR, // frictional contact, friction cone coupled to the normal velocity
    LITHE_TERM_HOLD,    // rows held towards vhat, quadratic (weld, attachment, spring, PD drive)
    LITHE_TERM_LIMIT,   // one row, one-sided: pushes only towards +v (joint limit, rope, strut)
    LITHE_TERM_DRIVE,   // one row: a drive with an impulse of at most `max` (Huber)
    LITHE_TERM_DRY,     // dry friction of rows with a fixed bound `max` (joint friction loss)
    LITHE_TERM_PULL,    // one row: the given impulse `max` (tendon with a given tension)
} LitheTermKind;

/// Everything that a law reads; plain data. Rows of a contact: sliding t1, t2 [m/s], the normal n
/// [m/s] (positive: separating), then torsion (angular velocity about n, rad/s) when rows is 4 or
/// 6, then rolling (angular velocity perpendicular to n, 2 rows, rad/s) when rows is 5 or 6. Rows
/// of the other kinds have any unit; impulse times velocity is an energy.
typedef struct LitheTerm {
    LitheTermKind kind;
    int32_t rows; // 1 .. LITHE_TERM_ROWS
    double h;     // step [s]
    double eps;   // sliding speed at which friction is 71 % of its bound [m/s]; of DRY rows too
    union {
        struct {            // contacts
            double k;       // stiffness, capped at the near-rigid one [N/m]
            double f0;      // force at the start of the step, < 0 without contact [N]
            double d;       // Hunt-Crossley dissipation [s/m]; not read by sap
            double vbar;    // normal velocity above which there is no force [m/s]; may be infinite
            double mu;      // friction coefficient
            double n0;      // normal impulse that bounds friction [N s]
            double torsion; // torsional friction, bound torsion*n0 [m]
            double roll;    // rolling friction, bound roll*n0 [m]
            double eps_torsion, eps_roll; // as eps, for torsion and rolling [rad/s]
            // inputs of eps, which is computed again when n0 changes
            double v_s, w_s;      // smallest eps of sliding [m/s], of torsion and rolling [rad/s]
            double yield;         // sigma w [1/kg]
            double yield_angular; // sigma times the scale of the angular rows [1/(kg m^2)]
            double G_n, G_t, vhat_n; // sap: 1/R_n and 1/R_t [kg], target of the normal [m/s]
        };
        struct {                          // the other kinds
            double vhat[LITHE_TERM_ROWS]; // target velocity; LIMIT: a force acts only below it
            double G[LITHE_TERM_ROWS];    // 1/R: impulse per velocity; 0 = no force
            double max;                   // DRIVE, DRY: bound of the impulse; PULL: the impulse
        };
    };
} LitheTerm;

/// Regularisation of contacts; the same for all contacts of a world.
typedef struct LitheContactSetting {
    double v_s;   // smallest eps of sliding [m/s]
    double w_s;   // smallest eps of torsion and rolling [rad/s]
    double sigma; // tangential softness: R_t = sigma w, eps at least mu sigma w n0
    double beta;  // near-rigid: R_n at least beta^2 w/(4 pi^2); 0 = the given stiffness
    double tau_d; // relaxation time of sap [s]; the other laws have Hunt-Crossley's d
} LitheContactSetting;

/// v_s 1e-8 m/s, w_s 1e-6 rad/s, sigma 1e-6, beta 0.01, tau_d 0: docs/theory/contact.md says why.
LitheContactSetting lithe_contact_setting_default(void);

/// One contact as it is known at the start of the step. A plain contact sets k, phi0, mu and w; the
/// other members are 0.
typedef struct LitheContactStart {
    double k;         // stiffness [N/m]; INFINITY: as stiff as beta allows
    double d;         // Hunt-Crossley dissipation [s/m]
    double phi0;      // gap, negative with overlap [m]; not read when patch
    int32_t patch;    // not 0: a polygon of a patch, with f0 = area * pressure and k >= 0 given
    double f0;        // [N], only of a patch
    double mu;        // friction coefficient
    double torsion;   // torsional friction [m]; > 0 adds the row
    double roll;      // rolling friction [m]; > 0 adds the rows
    double w;         // Delassus scale |J diag(A)^-1 J'|_F/3 of the rows t1, t2, n [1/kg]
    double w_angular; // the same for the angular rows, |.|_F/sqrt(rows) [1/(kg m^2)]; 0: only w_s
                      // counts
    double v_n;       // normal velocity at the start [m/s], for the first n0
} LitheContactStart;

/// `law` is one of the three kinds of contact; h > 0 [s]. The number of rows follows from torsion
/// and roll. All members of `start` are >= 0 except phi0, f0, v_n.
void lithe_term_contact(LitheTerm *term, LitheTermKind law, const LitheContactSetting *setting,
                        double h, const LitheContactStart *start);

/// Compliance of a constraint, limit or actuator: a spring with a damper, or near-rigid. Units are
/// those of its rows: [N/m] or [N m/rad], ...
typedef struct LitheCompliance {
    double stiffness; // INFINITY: near-rigid
    double damping;   // INFINITY with finite stiffness: the velocity is held, near-rigid
    double tau;       // near-rigid: a step removes h/(h + tau) of an error [s]; < 0: tau = h
    double beta;      // near-rigid floor of R, beta^2 w/(4 pi^2); 0 = none
    double w;         // Delassus scale of the rows, |J diag(A)^-1 J'|_F/sqrt(rows) [1/kg]
} LitheCompliance;

/// Near-rigid with beta 0.05 and tau = h.
LitheCompliance lithe_compliance_rigid(double w);

/// `g` [rows]: positions of the rows at the start of the step, minus their targets at its END;
/// `speed` [rows] target velocity at the end, NULL = 0. A weld is two terms: three rows of
/// translation, three of rotation.
void lithe_term_hold(LitheTerm *term, int32_t rows, double h, const double *g, const double *speed,
                     const LitheCompliance *compliance);

/// `gap` > 0: distance to the limit, may close within the step; the impulse is >= 0 and opens the
/// gap.
void lithe_term_limit(LitheTerm *term, double h, double gap, const LitheCompliance *compliance);

/// The same for a limit that moves away with the velocity `speed` at the end of the step; `gap` is
/// that of the position at the start to the limit at the end.
void lithe_term_limit_moving(LitheTerm *term, double h, double gap, double speed,
                             const LitheCompliance *compliance);

/// One row with the constant force `force` >= 0 towards +v.
void lithe_term_pull(LitheTerm *term, double h, double force);

/// One row whose velocity is at least `least` [m/s or rad/s], whatever its position.
void lithe_term_at_least(LitheTerm *term, double h, double least,
                         const LitheCompliance *compliance);

/// As lithe_term_hold with one row, but with a force of at most `force` [N or N m] in either
/// direction (INFINITY: no bound).
void lithe_term_drive(LitheTerm *term, double h, double g, double speed, double force,
                      const LitheCompliance *compliance);

/// Dry friction of at most `force` against the velocity of all rows together (isotropic). At the
/// speed `slow` > 0 friction is 71 % of `force`; `slow` is raised to yield*h*force if it is less,
/// with `yield` = sigma w.
void lithe_term_dry(LitheTerm *term, int32_t rows, double h, double force, double slow,
                    double yield);

/// Cost at v [rows]; with impulse not NULL the impulse -dl/dv [rows]; with hessian not NULL the
/// Hessian d2l/dv2 [rows*rows], symmetric positive semidefinite. The cost is >= 0, and 0 without an
/// impulse (a contact with n0 = 0; v = vhat; v_t = 0). Exceptions: a patch without stiffness and
/// dissipation, whose constant force has the cost -h f0 v_n, and a given pull with -max v. No NaN
/// for |v| up to 1e100.
double lithe_term_cost(const LitheTerm *term, const double *v, double *impulse, double *hessian);

/// Whether lithe_term_if_active can be called for a term: a contact with the lagged law whose force
/// vanishes above a finite velocity vbar.
bool lithe_term_has_active_set(const LitheTerm *term);

/// Impulse and Hessian at v when the active set is given, for any v (V34). With `is_active` the
/// normal law is its tangent near the force at the start of the step, otherwise it is zero. Returns
/// whether the contact should be active: with `is_active` whether the tangent gives a positive
/// impulse, otherwise whether the normal velocity is below vbar.
bool lithe_term_if_active(const LitheTerm *term, const double *v, bool is_active, double *impulse,
                          double *hessian);

/// A drive at its bound: replaces its Hessian, which is zero, by that of the parabola with the same
/// slope at v whose lowest point is vhat, and which is nowhere below the cost (V40). Returns false
/// where the term is another one.
bool lithe_term_hold_back(const LitheTerm *term, const double *v, double *hessian);

/// Whether n0 bounds any friction of a contact.
static inline bool lithe_term_reads_bound(const LitheTerm *term) {
    bool slides = term->kind == LITHE_TERM_LAGGED && term->mu > 0;
    return term->kind <= LITHE_TERM_SIMILAR && (slides || term->rows > 3);
}

/// Sets n0 of a contact to the normal impulse of a solution (negative counts as 0), and updates
/// eps. Returns the change of n0 relative to the larger of both values; 0 when the law does not
/// read n0.
double lithe_term_lag(LitheTerm *term, double normal_impulse);

#endif
