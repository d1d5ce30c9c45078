// SPDX-License-Identifier: Apache-2.0
// cli/validate/validate.h - the physical validation suite: cases and their findings
//
// A case builds scenes through the public interface, solves them at two resolutions, and returns
// findings (a number, its reference, its tolerance) and curves to draw. The rule:
//
//   A finding passes when its error is inside the tolerance at BOTH resolutions and does not grow
//   when the resolution is doubled. Growth is ignored when the finer error is below the `floor` of
//   the finding: there it is rounding, the digits of the reference, or a known approximation of
//   the model (a rope has some bending stiffness, an inextensible rod some stretch).

#ifndef LITHE_CLI_VALIDATE_H
#define LITHE_CLI_VALIDATE_H

#include "lithe/lithe.h"

#include <math.h>

/// Meaning of `tolerance` and `floor` of a finding.
typedef enum LitheErrorKind {
    LITHE_ERROR_RELATIVE, ///< |measured - reference| / |reference|
    LITHE_ERROR_ABSOLUTE, ///< |measured - reference|
    LITHE_ERROR_AT_MOST,  ///< measured must not exceed the reference; no tolerance
    LITHE_ERROR_REPORTED, ///< only reported; it neither passes nor fails
} LitheErrorKind;

typedef struct LitheFinding {
    char quantity[64];
    double measured; ///< at the finer resolution
    double coarse;   ///< at half of it; NAN: the quantity has one resolution only
    double reference;
    double tolerance;
    LitheErrorKind kind;
    double floor;      ///< error below which growth under refinement is ignored
    const char *fails; ///< why it did not pass, or NULL; set by lithe_trial_add
} LitheFinding;

/// One line or one set of points of a plot; `x` and `y` belong to the trial.
typedef struct LitheTrialCurve {
    char label[64];
    bool points; ///< points: measured; a line: the reference
    int32_t count;
    double *x, *y;
} LitheTrialCurve;

#define LITHE_TRIAL_CURVES 8

/// The plot of a case. Labels are text with static lifetime.
typedef struct LitheTrialPlot {
    const char *title;
    const char *x_label, *y_label;
    bool log_x, log_y;
    bool equal; ///< one scale for both axes: shapes
    LitheTrialCurve curves[LITHE_TRIAL_CURVES];
    int32_t curve_count;
} LitheTrialPlot;

/// A running case.
typedef struct LitheTrial {
    LitheContext *context;
    int32_t refine;                ///< factor on every resolution: 1, or 4 with --long
    const char *folder;            ///< of the report
    int64_t first_seed, last_seed; ///< of random worlds; 0: the case chooses them
    LitheFinding *findings;
    int32_t count, capacity;
    LitheTrialPlot plot;
    LitheError error; ///< why the case stopped
    double seconds;
} LitheTrial;

/// False when the case stopped; trial->error has the reason.
typedef bool LitheCaseFn(LitheTrial *trial);

typedef struct LitheCase {
    const char *name;
    const char *title;
    const char *source; ///< origin of the reference
    LitheCaseFn *run;
} LitheCase;

// --- findings and curves -------------------------------------------------------------------------

/// A quantity with an upper bound.
static inline LitheFinding at_most(double measured, double limit) {
    return (LitheFinding){
        .measured = measured, .coarse = NAN, .reference = limit, .kind = LITHE_ERROR_AT_MOST};
}

/// A quantity with a reference and a relative tolerance.
static inline LitheFinding near_to(double measured, double reference, double tolerance) {
    return (LitheFinding){.measured = measured,
                          .coarse = NAN,
                          .reference = reference,
                          .tolerance = tolerance,
                          .kind = LITHE_ERROR_RELATIVE};
}

/// The same at two resolutions, the coarse one first.
static inline LitheFinding refined_to(const double measured[2], double reference,
                                      double tolerance) {
    LitheFinding f = near_to(measured[1], reference, tolerance);
    f.coarse = measured[0];
    return f;
}

/// A quantity that is only reported.
static inline LitheFinding reported(double measured) {
    return (LitheFinding){.measured = measured, .coarse = NAN, .kind = LITHE_ERROR_REPORTED};
}

/// Checks and stores a finding. The quantity is a printf format.
LITHE_PRINTF(3, 4)
bool lithe_trial_add(LitheTrial *trial, LitheFinding finding, const char *quantity, ...);

/// |measured - reference|, relative or absolute by the kind of the finding.
double lithe_finding_error(const LitheFinding *finding, double measured);

/// log2 of the ratio of the errors at the two resolutions; NAN when there is nothing to compare.
double lithe_finding_order(const LitheFinding *finding);

/// Adds a curve of copied numbers; curves beyond LITHE_TRIAL_CURVES are a bug.
bool lithe_trial_curve(LitheTrial *trial, const char *label, bool points, const double *x,
                       const double *y, int32_t count);

// --- scenes of the cases -------------------------------------------------------------------------

/// A test stand: a scene, mostly with one rod, and its model, state and work arrays.
typedef struct LitheStand {
    LitheScene *scene;
    LitheRodId rod;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
} LitheStand;

/// A section given by its stiffnesses: bending B, twist C, stretch EA, mass per length m.
LitheSectionDef lithe_stand_section(double B, double C, double EA, double m);

/// A line along x of this length from the origin (clamped there or not) with `nodes` nodes.
LitheRodDef lithe_stand_line(double length, int32_t nodes, bool clamp, LitheSectionDef section);

/// A scene without gravity whose static steps are 1 s long; the rod, if not NULL, is added to it,
/// and then there are no contacts. Call lithe_stand_end after it, also after failure.
bool lithe_stand_begin(LitheTrial *trial, LitheStand *stand, const LitheRodDef *rod);
bool lithe_stand_compile(LitheTrial *trial, LitheStand *stand);
void lithe_stand_end(LitheStand *stand);

/// A scene from text (a printf format), compiled. Call lithe_stand_end after it, also after
/// failure.
LITHE_PRINTF(3, 4)
bool lithe_stand_parse(LitheTrial *trial, LitheStand *stand, const char *text, ...);

/// The same without a model: things may still be added.
LITHE_PRINTF(3, 4)
bool lithe_stand_text(LitheTrial *trial, LitheStand *stand, const char *text, ...);

/// A scene of the folder of scenes by its name, with overrides, compiled. Call lithe_stand_end
/// after it, also after failure.
bool lithe_stand_load(LitheTrial *trial, LitheStand *stand, const char *name,
                      const char *const *sets, int32_t set_count);

bool lithe_stand_equilibrium(LitheTrial *trial, LitheStand *stand);

/// One step, or steps up to a time; a step that did not converge is a failure.
bool lithe_stand_step(LitheTrial *trial, LitheStand *stand);
bool lithe_stand_run(LitheTrial *trial, LitheStand *stand, double step, double time);

/// Number of unstable directions; LITHE_SINGULAR where a stiffness is zero to rounding.
int32_t lithe_stand_unstable(LitheStand *stand, double shift);

enum { LITHE_STOPPED = -2, LITHE_SINGULAR = -1 };

/// Unstable directions at a load, LITHE_SINGULAR, or LITHE_STOPPED with trial->error.
typedef int32_t LitheCountFn(LitheTrial *trial, double load, const void *user);

/// The load between `low` (stable) and `high` (not) at which stability is lost: the middle of the
/// loads where the stiffness is singular to rounding. False when a count stopped.
bool lithe_trial_bisect(LitheTrial *trial, LitheCountFn *unstable, const void *user, double low,
                        double high, double *critical);

LitheVec3 lithe_stand_node(const LitheStand *stand, int32_t node); ///< negative: from the end

bool lithe_stand_hold(LitheStand *stand, int32_t node, uint32_t bits);

/// Dead force on a node times t: static step k has k times the force.
bool lithe_stand_force(LitheStand *stand, int32_t node, LitheVec3 force);

/// Linear between these points, constant outside. The arrays are copied when the def is added.
LitheProfileDef lithe_stand_profile(const double *times, const double *values, int32_t count);

/// Nodes of the rod as points of a plot, seen along y.
bool lithe_trial_shape(LitheTrial *trial, const char *label, const LitheStand *stand,
                       int32_t every);

// --- the cases -----------------------------------------------------------------------------------

LitheCaseFn lithe_case_rod_tip_load, lithe_case_rod_heavy_cantilever, lithe_case_rod_rollup;
LitheCaseFn lithe_case_rod_euler_loads, lithe_case_rod_postbuckle_pinned;
LitheCaseFn lithe_case_rod_michell_ring, lithe_case_rod_helical_buckling;
LitheCaseFn lithe_case_cable_wave;
LitheCaseFn lithe_case_rod_catenary, lithe_case_rod_cantilever_freq, lithe_case_rope_pendulum;
LitheCaseFn lithe_case_free_rod_momentum, lithe_case_rod_energy;
LitheCaseFn lithe_case_capstan, lithe_case_capstan_static, lithe_case_capstan_soft,
    lithe_case_capstan_filament, lithe_case_capstan_patches, lithe_case_crowned_pulley;
LitheCaseFn lithe_case_belt_ablations, lithe_case_belt_drive, lithe_case_soft_pads,
    lithe_case_shoelace;
LitheCaseFn lithe_case_pinched_lace, lithe_case_entangling_gripper,
    lithe_case_entangling_gripper_quick;
LitheCaseFn lithe_case_statics_ladder, lithe_case_statics_rest, lithe_case_statics_modes;
LitheCaseFn lithe_case_statics_snap;
LitheCaseFn lithe_case_pcc_kinematics, lithe_case_pcc_static_pressure, lithe_case_ball_turn,
    lithe_case_ball_turn_starts, lithe_case_ball_turn_solvers, lithe_case_ball_replan,
    lithe_case_ball_playback, lithe_case_box_turn;
LitheCaseFn lithe_case_free_fall_order, lithe_case_double_pendulum, lithe_case_dzhanibekov;
LitheCaseFn lithe_case_lcp_friction, lithe_case_lcp_problems, lithe_case_arm_lcp_convex;
LitheCaseFn lithe_case_arm_as_rod, lithe_case_A1, lithe_case_A2, lithe_case_A3;
LitheCaseFn lithe_case_incline_threshold, lithe_case_slide_stop, lithe_case_crossed_rods;
LitheCaseFn lithe_case_pinch_hold, lithe_case_billiard_slide_roll, lithe_case_rolling_incline;
LitheCaseFn lithe_case_momentum_conservation, lithe_case_chain_of_rings, lithe_case_long_rest;
LitheCaseFn lithe_case_knot_tightening, lithe_case_no_tunnelling;
LitheCaseFn lithe_case_stress_huge_dt, lithe_case_stress_tiny_dt, lithe_case_stress_stiff_ratio,
    lithe_case_stress_initial_penetration, lithe_case_stress_tunnelling,
    lithe_case_stress_rank_deficient_contact, lithe_case_stress_friction_extremes,
    lithe_case_stress_scale_invariance, lithe_case_stress_rotation_invariance,
    lithe_case_stress_permutation, lithe_case_stress_symmetry, lithe_case_stress_energy_monotone,
    lithe_case_stress_million_steps, lithe_case_stress_solver_fail, lithe_case_stress_nan_mid_run,
    lithe_case_stress_resource;
LitheCaseFn lithe_case_worlds_mixed, lithe_case_worlds_solids, lithe_case_worlds,
    lithe_case_worlds_long_steps, lithe_case_worlds_schemes;
LitheCaseFn lithe_case_adaptive_knot, lithe_case_adaptive_rings;
LitheCaseFn lithe_case_K1, lithe_case_K2a, lithe_case_K2b, lithe_case_K3, lithe_case_K4;
LitheCaseFn lithe_case_K5;
LitheCaseFn lithe_case_knot_models;
LitheCaseFn lithe_case_particle_incline, lithe_case_particle_collision, lithe_case_bead_on_rod;
LitheCaseFn lithe_case_press_in_time;
LitheCaseFn lithe_case_fem_bar_selfweight, lithe_case_fem_cantilever, lithe_case_fem_patch;
LitheCaseFn lithe_case_fem_uniaxial_large, lithe_case_solid_spin, lithe_case_solid_frequencies;
LitheCaseFn lithe_case_cook_membrane, lithe_case_solid_tube, lithe_case_solid_sphere;
LitheCaseFn lithe_case_solid_sizes, lithe_case_solid_sizes_quick;
LitheCaseFn lithe_case_solid_torsion, lithe_case_solid_buckling, lithe_case_rubber_cylinder_press;
LitheCaseFn lithe_case_bead_catenary, lithe_case_particle_cloud, lithe_case_funnel;
LitheCaseFn lithe_case_surface_squeeze, lithe_case_masonry_arch;
LitheCaseFn lithe_case_soft_gripper, lithe_case_soft_hand;
LitheCaseFn lithe_case_solid_rest, lithe_case_solid_incline;
LitheCaseFn lithe_case_hertz_spheres, lithe_case_hertz_cylinder;
LitheCaseFn lithe_case_blocks_in_series, lithe_case_bar_impact;

// --- the report ----------------------------------------------------------------------------------

/// Outcome of one case.
typedef struct LitheCaseResult {
    const LitheCase *which;
    LitheTrial *trial;
} LitheCaseResult;

/// One JSON object per line on stdout, for each finding and for a case that stopped.
void lithe_validate_json(const LitheCaseResult *outcome);

/// Prints the same findings as a table.
void lithe_validate_table(const LitheCaseResult *outcome);

/// The plot of a case as an SVG file.
LitheStatus lithe_validate_draw(LitheContext *context, const char *path, const LitheTrialPlot *plot,
                                LitheError *error);

/// Writes FOLDER/CASE.svg for each case, and FOLDER/index.html with all tables and plots.
LitheStatus lithe_validate_report(LitheContext *context, const char *folder,
                                  const LitheCaseResult *outcomes, int32_t count,
                                  LitheError *error);

#endif
