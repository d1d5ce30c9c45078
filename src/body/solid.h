// SPDX-License-Identifier: Apache-2.0
// body/solid.h - soft solids: scratch of a step, elastic forces
//
// Numbers in brackets: docs/theory/solids.md.

#ifndef LITHE_BODY_SOLID_H
#define LITHE_BODY_SOLID_H

#include "body/unit.h"
#include "math/mat3.h"
#include "sparse/block_factor.h"

/// Scratch of one solid.
typedef struct LitheSolidWork {
    // of the step: everything that does not depend on w
    LitheStepPlan plan;
    const double *q0;       // [3 nodes] into the state
    const double *v0;       // [3 nodes] into the state; in a stage into plan.velocity
    const double *base;     // [3 nodes] configuration at w = 0: q0, or stage_base in a stage
    const double *pushes;   // [3 nodes] into the state
    double *stage_base;     // [3 nodes]
    double *force;          // [3 nodes] dead forces at the force time of the step [N]
    double *outer;          // [3 nodes] the part of `force` from loads and pushes [N]
    Mat3 *rotations;        // [elements][points] frames of the lagged law; NULL: the law has none
    double *framed;         // [3 nodes] configuration that the frames belong to, if
    bool has_frames;        // they do to one at rest size; energies and the next step share them
    double *pressures;      // [elements] of patches; NULL: there are none
    double *pressed;        // [pressure_count] pressures at the force time of the step [Pa]
    LitheSolid now;         // the solid with its natural size at the force time of the step
    double *natural;        // [lithe_solid_swell_doubles] memory of `now`
    double *damping;        // values of beta K at the start of the step; NULL: no such damping
    double *start;          // [3 nodes] elastic gradient at q0 (S65) [N]; NULL: as damping
    double *chord;          // [3 nodes] beta d of (S66) [N]; NULL: as damping
    double chord_power;     // beta e:C e of (S66), all elements [W]
    double start_elastic;   // energy at q0 [J]
    const double *commands; // [drive_count of the model][2][LITHE_COMMAND_SIZE] into the state
    double *target;         // [3 nodes] w of held DoFs, else 0
    double reach;           // max coordinate, which scales the rounding of positions [m]

    // of an iterate
    double *x;               // [3 nodes] configuration
    double *gradient;        // [3 nodes] of the energy of elasticity and pressures [N]
    double *follow;          // [3 nodes] forces of pressures, at the end of a step [N]
    double *normal;          // [3 nodes] derivative of the volume of a gas [m^2]
    double *momentum;        // [3 nodes] M (w - v0), beta K w and other products
    double *change;          // [3 nodes] w - v0 where inertia acts
    double *diagonal;        // [3 nodes] of A before held DoFs are locked
    double elastic;          // energy at x [J]
    int32_t bad;             // element where the domain was left; -1: none; or
                             // LITHE_SOLID_NO_MEMORY
    LitheBlockMatrix matrix; // the pattern of the model with values of its own: A
    LitheBlockFactor *factor;
    LitheBlockMatrix inertia; // M with held DoFs locked; only of a consistent mass
    LitheBlockFactor *mass_factor;
} LitheSolidWork;

enum { LITHE_SOLID_NO_MEMORY = -2 };

/// Nodes that carry a material point: of a triangle of a fine surface, the corners of three
/// elements.
enum { LITHE_SOLID_CARRIERS = 12 };

/// The most nodes that carry a material point of a solid.
static inline int32_t lithe_solid_carriers(const LitheSolid *solid) {
    return solid->fine.touches ? LITHE_SOLID_CARRIERS : solid->skin.middles ? 6 : 4;
}

/// (W1) The vector at a point of a fine surface, from those at the nodes.
static inline Vec3 lithe_fine_point(const LitheFineSurface *fine, const double *x, int32_t point) {
    const LitheSolidPlace *place = &fine->places[point];
    Vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < 4; k++)
        sum = v3_axpy(place->weight[k], v3_load(x + 3 * (int64_t)place->node[k]), sum);
    return sum;
}

/// (W1) Points of all fine surfaces that touch, three numbers each, and their velocities, unless v
/// is NULL.
void lithe_carry_points(const LitheModel *model, const LitheState *state, double *x, double *v);

/// The node that carries most of a point.
static inline int32_t lithe_fine_node(const LitheFineSurface *fine, int32_t point) {
    const LitheSolidPlace *place = &fine->places[point];
    int most = 0;
    for (int k = 1; k < 4; k++)
        most = place->weight[k] > place->weight[most] ? k : most;
    return place->node[most];
}

/// (S34) The vector at the middle of a face of six nodes, from those at the nodes.
static inline Vec3 lithe_surface_middle(const LitheSurface *surface, const double *x,
                                        int32_t face) {
    // three triangles with a corner of the face each, then that of the midpoints
    const int32_t *t = surface->triangles + 12 * (int64_t)face;
    Vec3 corners = v3(0, 0, 0), between = corners;
    for (int k = 0; k < 3; k++) {
        corners = v3_add(corners, v3_load(x + 3 * (int64_t)t[4 * k]));
        between = v3_add(between, v3_load(x + 3 * (int64_t)t[9 + k]));
    }
    return v3_scale(1.0 / 9, v3_sub(v3_scale(4, between), corners));
}

static inline const LitheSolid *lithe_solid_of(const LitheModel *model, int32_t unit) {
    return &model->solids[model->units[unit].index];
}

static inline LitheSolidWork *lithe_solid_work(const LitheWork *all, int32_t unit) {
    return all->units[unit].own;
}

// --- elasticity (solid_elastic.c) ----------------------------------------------------------------

/// What the elastic terms of a configuration are added to.
typedef struct LitheSolidTerms {
    double *gradient; // [3 nodes] overwritten, or NULL
    double *values;   // of the pattern: scale K is added, or NULL
    double scale;
    bool own_frames; // the rotations are those of x: no stiffness is computed
    bool project;    // makes the Hessian of each quadrature point positive semidefinite
    bool strains;    // leaves rigid rotations of each quadrature point without stiffness (H24)
    double *chord;   // [3 nodes] overwritten, or NULL: of a lagged law, scale K times what the
                     // rotation of the elements adds to the strain rates of a chord of the step
                     // h (S66), at the velocities
    const double *velocity; // [3 nodes]
    double h;
    double chord_power; // out: scale K times the square of that part of the strain rates [W]
    double *pressures;  // [elements] workspace of patches, where gradient or values are computed
    double *normal;     // [3 nodes] workspace of gases, where gradient or values are computed
    double *ranks;      // [gases][3 nodes] where values are computed: u of the terms scale u u' of
                        // gases (S55), with the scale in them; or NULL
    int32_t bad;        // the first element outside the domain of the law; -1: none
} LitheSolidTerms;

/// Elastic energy of the configuration x [J], INFINITY outside the domain of the law (S6), with
/// forces (S7) and stiffness (S8). `rotations` are those of a lagged law; NULL: of x itself.
double lithe_solid_elastic(const LitheSolid *solid, const double *x, const Mat3 *rotations,
                           LitheSolidTerms *terms);

/// Frames of all quadrature points at x: the rotation of the polar decomposition of F (S5).
/// `inverted` of LitheUnitOps: elements with det F <= 0 at a quadrature point.
LitheInverted lithe_solid_inverted(const LitheModel *model, int32_t unit, const LitheState *state);

void lithe_solid_rotations(const LitheSolid *solid, const double *x, Mat3 *rotations);

/// work->rotations = frames at x, unless they are; `solid` has its natural size.
void lithe_solid_find_frames(const LitheSolid *solid, const double *x, LitheSolidWork *work);

/// Deformation gradient of a quadrature point at x (S5).
Mat3 lithe_solid_gradient(const LitheSolid *solid, int32_t element, int32_t point, const double *x);

/// Those of all points of an element.
void lithe_solid_gradients(const LitheSolid *solid, int32_t element, const double *x, Mat3 *F);

/// Equivalent strain at the nodes (S91), [node_count].
void lithe_solid_equivalent_strain(const LitheModel *model, const LitheState *state,
                                   LitheSolidId id, double *out);

/// Where elements are evaluated; the pressure is that of the mean volume, if the solid has one
/// [Pa].
typedef struct LitheSolidAt {
    const double *x; // [3 nodes]
    double time;     // of the natural size
    double pressure; // out
} LitheSolidAt;

typedef void LitheSolidUseFn(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                             void *user);

/// Calls `use` for every element, those of a patch one after the other (solid_stress.c).
void lithe_solid_each_element(const LitheSolid *solid, const LitheSolidAt *at, LitheSolidUseFn *use,
                              void *user);

/// `mesh_error` of LitheUnitOps (solid_error.c).
bool lithe_solid_estimate(const LitheModel *model, int32_t unit, const LitheState *state,
                          double least, LitheMeshError *out);

/// (S72) Values at the nodes [node_count][8] from those at the quadrature points of cells
/// [cells][points][8], by fits around corners (solid_fits.c).
void lithe_solid_fit(const LitheSolid *solid, const LitheFits *fits, const double *samples,
                     double *nodal);

/// (S3) Mean over an element with straight edges of the product of two of its shape functions
/// (solid_mass.c).
double lithe_solid_overlap(int32_t width, int a, int b);

// --- fibres (solid_fibre.c) ----------------------------------------------------------------------

/// Energy of fibres at x (S84) [J]; forces and stiffness (S85) are added.
double lithe_solid_add_fibres(const LitheSolid *solid, const double *x,
                              const LitheSolidTerms *terms);

/// (S83) F a at a point, from edges: large coordinates do not cost digits.
static inline Vec3 lithe_fibre_at(const LitheFibres *own, const int32_t *node, const double *share,
                                  const double *x) {
    Vec3 first = v3_load(x + 3 * (int64_t)node[0]), y = v3(0, 0, 0);
    for (int32_t b = 1; b < own->width; b++)
        y = v3_axpy(share[b], v3_sub(v3_load(x + 3 * (int64_t)node[b]), first), y);
    return y;
}

/// The cell of an element in a family; -1: it has none.
int32_t lithe_fibres_cell(const LitheFibres *own, int32_t element);

/// What fibres in an element add to P F' at a point: the sum of (dE/dy) y' per volume at rest [Pa].
/// 0 where fibres are on faces.
Mat3 lithe_solid_fibre_stress(const LitheSolid *solid, int32_t element, int32_t point,
                              const double *x);

// --- damping (solid_damping.c) -------------------------------------------------------------------

/// Whether K of the damping is that of the step: a lagged law has the same at every x, in frames
/// that are those of the start of the step.
bool lithe_solid_damping_has_stiffness(const LitheSolid *solid, const LitheSolidWork *work);

/// Whether forces and energy at x follow from those at q0 and this K (S65).
bool lithe_solid_is_linear(const LitheSolid *solid, const LitheSolidWork *work);

/// Frames of a lagged law and damping, where w is the first guess. The mean velocity of a rotation
/// is along its chord: at the start of the step it would be a strain rate. The midpoint rule has
/// both in the predicted middle. So has backward Euler the damping, unless K is that of the step,
/// which saves its computation.
void lithe_solid_begin_damping(const LitheSolid *solid, LitheSolidWork *work, const double *w);

/// r += h (beta K w - beta d), with beta K w in work->momentum. Returns its potential.
double lithe_solid_add_damping(const LitheSolid *solid, const LitheSolidWork *work, const double *w,
                               double *r);

/// What damping dissipates in a step [J].
double lithe_solid_losses(const LitheSolid *solid, LitheSolidWork *work, const double *w);

/// Adds the forces of damping at the velocities w to `force`, with opposite sign; only where no
/// velocity is that of a chord (S66).
void lithe_solid_add_damping_forces(const LitheSolid *solid, LitheSolidWork *work, const double *w,
                                    double *force);

// --- pressures (solid_load.c) --------------------------------------------------------------------

/// Pressures at a time [pressure_count]; of a gas that at the volume of the start [Pa].
void lithe_solid_pressures_at(const LitheSolid *solid, double time, double *p);

/// Energy of the pressures p [pressure_count] at x (S53), (S54) [J], INFINITY where a cavity has no
/// volume, with its gradient and its Hessian times terms->scale added. Volumes count from places of
/// the configuration `start`, which must not change within a step.
double lithe_solid_press(const LitheSolid *solid, const double *p, const double *x,
                         const double *start, const LitheSolidTerms *terms);

/// Volume of a cavity at x [m^3].
double lithe_solid_cavity(const LitheSolid *solid, const LithePressure *load, const double *x);

/// Volume of a cavity after `time` [s] at the velocities of the last iterate of a step; false when
/// out of memory.
bool lithe_cavity_ahead(const LitheModel *model, const LitheState *state, const LitheWork *work,
                        double time, LitheCavityId id, double *volume);

/// Forces of pressures that are not those of a gas [3 nodes] [N]; those on closed surfaces only
/// with `closed`.
void lithe_solid_follow(const LitheSolid *solid, const double *p, const double *x, bool closed,
                        double *force);

/// Work of the pressures on closed surfaces between two configurations (S56) [J].
double lithe_solid_volume_work(const LitheSolid *solid, const double *p, const double *from,
                               const double *to);

/// Number of gases: of terms of rank one in the matrix.
int32_t lithe_solid_gas_count(const LitheSolid *solid);

/// Energy stored in gases [J]; a scale of its terms [J].
double lithe_solid_gas_energy(const LitheSolid *solid, const double *x, double time);
double lithe_solid_gas_scale(const LitheSolid *solid, const double *p);

/// Whether all forces on the solid that depend on its configuration have a potential.
bool lithe_solid_has_potential(const LitheSolid *solid);

// --- natural size (solid_swell.c) ----------------------------------------------------------------

/// G^-1 of an element (S60), and det G.
Mat3 lithe_solid_shrink(const LitheSolid *solid, int32_t element, double time, double *volume);

/// `out` is the solid with its natural size at a time (S62), in `memory` of
/// lithe_solid_swell_doubles doubles. False when a factor is not positive.
int64_t lithe_solid_swell_doubles(const LitheSolid *solid);
bool lithe_solid_swell(const LitheSolid *solid, double time, double *memory, LitheSolid *out);

/// Elastic energy at x with the natural size at a time [J]; false when out of memory.
bool lithe_solid_energy_at(const LitheModel *model, const LitheSolid *solid, double time,
                           const double *x, double *energy);

// --- masses (solid_mass.c) -----------------------------------------------------------------------

/// y = M x; x and y do not overlap.
void lithe_solid_mass_times(const LitheSolid *solid, const double *x, double *y);

/// x = M\x on free DoFs, 0 on held ones.
void lithe_solid_mass_solve(const LitheSolid *solid, const LitheSolidWork *work, double *x);

/// Adds kinetic energy, that of gravity, and momenta.
void lithe_solid_momenta(const LitheSolid *solid, Vec3 gravity, const double *q, const double *v,
                         LitheUnitTotals *sum);

/// `calm` and `drift` of LitheUnitOps, with the mass matrix.
double lithe_solid_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                        LitheState *state);
double lithe_solid_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                         LitheWork *all, double *v);

/// Replaces rows and columns of held DoFs by those of the identity, also in terms of rank one; `m`
/// has the pattern of the solid. Those of riders only with `riders`.
void lithe_solid_lock(const LitheSolid *solid, bool riders, LitheBlockMatrix *m);

// --- scales (solid_scales.c) ---------------------------------------------------------------------

/// Numbers that tell what to expect of a solid.
typedef struct LitheElasticScales {
    double young, poisson; // at rest
    double spin;           // largest angular velocity of an element at the start [rad/s]
    double inertia;        // of the lumped masses over that of the elements with uniform density,
                           // about the axis through the centre for which it is largest
} LitheElasticScales;

/// Centre of mass of the lumped masses at the start.
Vec3 lithe_solid_centre(const LitheSolid *solid);
LitheElasticScales lithe_solid_scales(const LitheModel *model, int32_t index);

// --- drives (solid_drive.c) ----------------------------------------------------------------------

/// Sets the targets of driven DoFs, and in a stage their base (S23).
void lithe_solid_aim(const LitheModel *model, const LitheSolid *solid, LitheSolidWork *work);

/// Stores what drives and holds exert at the residual r.
void lithe_solid_book(const LitheModel *model, const LitheSolid *solid, LitheWork *all,
                      const double *r, LitheState *state);

// --- the step (solid_step.c) ---------------------------------------------------------------------

bool lithe_solid_begin(const LitheModel *model, int32_t unit, const LitheState *state,
                       const LitheStepPlan *plan, LitheWork *all);
double lithe_solid_evaluate(const LitheModel *model, int32_t unit, LitheWork *all, const double *w,
                            bool want_matrix, bool project, double *r);
LitheMeasure lithe_solid_measure(const LitheModel *model, int32_t unit, const LitheWork *all,
                                 const double *r);
bool lithe_solid_factor(const LitheModel *model, int32_t unit, LitheWork *all);
void lithe_solid_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x);
bool lithe_solid_refine(const LitheModel *model, int32_t unit, LitheWork *all);
bool lithe_solid_step_explicit(const LitheModel *model, int32_t unit, LitheWork *all);
bool lithe_solid_end(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state);
/// (T5), see LitheUnitOps.
void lithe_solid_jump(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state);
bool lithe_solid_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                            const LitheStepPlan *plan, const double *force, LitheWork *all,
                            double *a, double *damping, double *power);
void lithe_solid_explain(const LitheModel *model, int32_t unit, const LitheWork *all, char *text,
                         size_t size);

#endif
