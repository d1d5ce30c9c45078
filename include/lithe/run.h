// SPDX-License-Identifier: Apache-2.0
// lithe/run.h - run a scene into a recording, resume a stopped run, recover its recording

#ifndef LITHE_RUN_H
#define LITHE_RUN_H

#include "lithe/base.h"
#include "lithe/model.h"
#include "lithe/scene.h"

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Progress of a run, for the progress callback.
typedef struct LitheProgress {
    double time;         ///< simulated, s
    double end;          ///< s
    double wall_seconds; ///< since this call
    double rate;         ///< simulated over wall time, recently
    int64_t steps;
    double newton_mean; ///< Newton iterations per step, recently
    int64_t frames;
    double step_seconds;  ///< wall time since the last step was made
    double step_fraction; ///< work of the present step over time.max-work; 0: no limit
} LitheProgress;

/// Called from the thread that called lithe_run, a few times per second.
typedef void LitheProgressFn(const LitheProgress *progress, void *user);

typedef struct LitheWatch LitheWatch; ///< observer between steps: the viewer

/// Settings of a run. Start from lithe_run_def_default().
typedef struct LitheRunDef {
    const char *out;           ///< recording to write, "knot.h5"; NULL: none
    double until;              ///< s; 0: the scene's end
    int32_t threads;           ///< >= 1
    double checkpoint_seconds; ///< wall time between checkpoints; does not change the result
    bool drop_work; ///< recreate LitheWork before every step (to show that the result is the same)
    LitheProgressFn *progress; ///< may be NULL
    void *progress_user;
    const volatile sig_atomic_t
        *stop;               ///< non-zero: save and stop with LITHE_INTERRUPTED; may be NULL
    const LitheWatch *watch; ///< may be NULL
    bool force;              ///< replace `out` also when it is a file that is not a recording
    double max_energy_gain;  ///< resume: replaces that of the scene; INFINITY: any; 0: the scene's
    int32_t max_unconverged; ///< resume: replaces that of the scene; INT32_MAX: any; 0: the scene's
    int32_t max_work;        ///< resume: replaces that of the scene; INT32_MAX: any; 0: the scene's
} LitheRunDef;

/// One thread, checkpoint every 2 s of wall time.
LITHE_API LitheRunDef lithe_run_def_default(void);

/// Where and when a quantity of a rod was largest.
typedef struct LithePeak {
    char rod[104]; ///< its name; empty: there is none
    const char *unit;
    double value;
    double limit; ///< of the rod
    double time;  ///< s
    int32_t node;
} LithePeak;

/// Summary of a run.
typedef struct LitheSummary {
    double sim_seconds; ///< reached
    double wall_seconds;
    double rate;
    int64_t steps;
    int64_t frames;
    int64_t dofs;
    double newton_mean; ///< Newton iterations per step
    int64_t steps_unconverged;
    int64_t hessians_corrected;
    double contacts_mean;       ///< contacts in the coupled solve, per step
    int64_t contacts_max;       ///< max of a step
    double passes_mean;         ///< linearisations of the coupled solve, per step that has one
    double solve_mean;          ///< Newton iterations of the coupled solve, per step that has one
    int64_t solve_unconverged;  ///< steps in which the coupled solve stopped above its tolerance
    int64_t friction_unsettled; ///< steps in which normal impulses still changed in the last pass
    int64_t constraints_broken;
    union {
        int64_t pairs_unsupported; ///< max of a step: pairs of shapes that pass through each other
        int64_t pairs_unserved;    ///< the older name of pairs_unsupported
    };
    int64_t steps_cut; ///< steps divided into substeps because a solve or the certificate failed
    int64_t steps_rejected;            ///< attempts repeated with half the length
    int64_t limits[LITHE_LIMIT_COUNT]; ///< number of steps by what limited their length
    double step_shortest;              ///< s
    double step_longest;               ///< s
    int64_t crossings_avoided; ///< attempts rejected: a rod would have passed through something
    int64_t pieces_held;       ///< substeps with near-rigid contacts, to prevent a crossing
    int64_t pieces_softened;   ///< substeps solved only with more strongly regularised couplings
    int64_t topology_changes;  ///< changes of knots and links: something passed through something
    char topology_first[256];  ///< description of the first change, or empty
    double max_penetration;    ///< largest overlap of a contact at the start of a step [m]
    double energy_drift; ///< largest |E + losses - work - E0| over the largest energy seen (at
                         ///< least that of a fall of everything through its own thickness); losses
                         ///< include friction, contacts and constraints; NAN: no step
    double energy_gain;  ///< largest energy from nothing, over the largest energy before (see
                         ///< LitheTimeDef.max_energy_gain)
    int64_t peak_memory_bytes;
    double stages[LITHE_STAGE_COUNT]; ///< wall time of each stage in this call [s]
    int64_t contacts_stiffened;       ///< max of a step: see LitheReport.stiffened
    double wait_seconds;              ///< of the wall time: waiting for a viewer, not in `rate` [s]
    uint64_t hash;                    ///< of the final state
    char scheme[24];                  ///< "backward-euler", ..; empty: unknown
    double step;            ///< of the scene, the largest one if steps adapt; 0: unknown [s]
    int64_t steps_guarded;  ///< tr-bdf2: steps with one of the following
    int64_t steps_calmed;   ///< tr-bdf2: velocities were reduced because the energy rose
    int64_t steps_by_euler; ///< tr-bdf2: made by backward Euler, at least in part
    int64_t steps_gained;   ///< tr-bdf2: overlaps held energy from nothing
    bool is_static;         ///< its steps are equilibria
    int32_t unstable; ///< directions in which the last equilibrium (of the start, or of a static
                      ///< step) is unstable: negative pivots; -1: not counted
    int64_t steps_unstable; ///< static steps to an unstable equilibrium, in this call
    int64_t steps_inverted; ///< steps that ended with elements turned inside out, in this call
    int32_t inverted;       ///< elements of solids that are turned inside out at the end
    LithePeak strain;       ///< the largest strain of a rod, relative to its limit
    LithePeak stress;       ///< the largest stress [Pa] of a rod with a yield stress, or tension
                            ///< [N] of one with a strength, relative to its limit
    double mesh_error; ///< largest of a solid, estimated where it stored most energy in this call:
                       ///< the share of its deflection that is missing (lithe_solid_mesh_error);
                       ///< NAN: none is known
    char mesh_error_solid[64]; ///< the name of that solid
    bool mesh_error_stiff;     ///< it is too stiff for certain: nothing touched it then, and its
                               ///< elements each keep their own volume
} LitheSummary;

/// Runs a scene from the start. `summary` is filled also when the run stops early. With `out`, the
/// run appends to OUT.journal and writes OUT.checkpoint; at the end it makes OUT from them and
/// removes them. An older recording OUT is kept until the new one is complete; a file that is not a
/// recording is replaced only with `force`, a file that the scene was read from never. OUT.lock
/// excludes other runs: LITHE_FILE_ERROR names the process that writes to OUT.
LITHE_API LitheStatus lithe_run(const LitheScene *scene, const LitheRunDef *def,
                                LitheSummary *summary, LitheError *error);

/// Continues a run that stopped: `out` names its recording ("knot.h5"; the journal and checkpoint
/// are beside it). The result has the same bits as that of an uninterrupted run. A run that was
/// stopped because its steps exceeded max_energy_gain or max_unconverged of the scene stops again
/// at once, with the same message and with its files as they are, unless `def` raises that limit.
LITHE_API LitheStatus lithe_resume(LitheContext *context, const char *out, const LitheRunDef *def,
                                   LitheSummary *summary, LitheError *error);

/// Makes a recording from the journal of a run that stopped, or of one that still runs: the run
/// replaces it when it ends. A file `out` that is no recording of the scene of that run stays:
/// LITHE_BAD_INPUT.
LITHE_API LitheStatus lithe_recover(LitheContext *context, const char *out, int64_t *frames,
                                    LitheError *error);

// --- a run that the caller steps -----------------------------------------------------------------

/// Records a run that the caller steps, with forces and targets that are not in a scene file.
typedef struct LitheRecorder LitheRecorder;

/// Begins OUT.journal for states of `model`, which was compiled from `scene`; both must outlive the
/// recorder. The recording begins at `state`; no frame is added yet.
LITHE_API LitheStatus lithe_recorder_create(const LitheScene *scene, const LitheModel *model,
                                            const LitheState *state, const char *out,
                                            LitheRecorder **recorder, LitheError *error);

/// Adds a step to the sums of the run (optional).
LITHE_API void lithe_recorder_add_step(LitheRecorder *recorder, const LitheReport *report);

/// Adds a frame. `work` and `report` belong to the step that led to the state; without them (NULL)
/// the frame has no contacts.
LITHE_API LitheStatus lithe_recorder_add_frame(LitheRecorder *recorder, const LitheState *state,
                                               const LitheWork *work, const LitheReport *report,
                                               LitheError *error);

/// Frames so far.
LITHE_API int64_t lithe_recorder_frame_count(const LitheRecorder *recorder);

/// Makes OUT from the journal and removes the journal. `reason`: why the run stopped early, or
/// NULL. At least one frame must have been added.
LITHE_API LitheStatus lithe_recorder_finish(LitheRecorder *recorder, const char *reason,
                                            LitheError *error);

/// Accepts NULL. Without lithe_recorder_finish the journal stays: `lithe recover` makes OUT from
/// it.
LITHE_API void lithe_recorder_destroy(LitheRecorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
