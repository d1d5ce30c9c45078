// SPDX-License-Identifier: Apache-2.0
// lithe/run.h - run a scene into a recording, go on after a stop, and get the recording out

#ifndef LITHE_RUN_H
#define LITHE_RUN_H

#include "lithe/base.h"
#include "lithe/model.h"
#include "lithe/scene.h"

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a run stands; handed to the progress callback a few times a second.
typedef struct LitheProgress {
    double time;         ///< simulated, s
    double end;          ///< s
    double wall_seconds; ///< since this call
    double rate;         ///< simulated over wall time, lately
    int64_t steps;
    double newton_mean; ///< Newton iterations a step, lately
    int64_t frames;
} LitheProgress;

/// Called from the thread that called lithe_run, a few times a second.
typedef void LitheProgressFn(const LitheProgress *progress, void *user);

typedef struct LitheWatch LitheWatch; ///< who looks on between steps: the viewer

/// How to run. Start from lithe_run_def_default().
typedef struct LitheRunDef {
    const char *out;           ///< recording to write, "knot.h5"; NULL: none
    double until;              ///< s; 0: the scene's end
    int32_t threads;           ///< >= 1
    double checkpoint_seconds; ///< wall time between checkpoints; they change no result
    bool drop_work; ///< make Work anew before every step (to show that it changes nothing)
    LitheProgressFn *progress; ///< may be NULL
    void *progress_user;
    const volatile sig_atomic_t *stop; ///< non-zero: save, stop with LITHE_INTERRUPTED; may be NULL
    const LitheWatch *watch;           ///< may be NULL
} LitheRunDef;

/// One thread, checkpoint every 2 s of wall time.
LITHE_API LitheRunDef lithe_run_def_default(void);

/// How a run went.
typedef struct LitheSummary {
    double sim_seconds; ///< reached
    double wall_seconds;
    double rate;
    int64_t steps;
    int64_t frames;
    int64_t dofs;
    double newton_mean; ///< iterations a step
    int64_t steps_unconverged;
    int64_t hessians_corrected;
    double contacts_mean;       ///< in the coupled solve, a step
    int64_t contacts_max;       ///< in a step
    double passes_mean;         ///< linearisations of the coupled solve, a step that has one
    double solve_mean;          ///< its Newton iterations, a step that has one
    int64_t solve_unconverged;  ///< steps in which it stopped above its tolerance
    int64_t friction_unsettled; ///< steps in which normal impulses still changed at its end
    int64_t constraints_broken;
    int64_t pairs_unserved; ///< most in a step: shapes that pass through each other
    int64_t steps_cut;      ///< made in pieces, since one solve or the certificate failed
    int64_t steps_rejected; ///< attempts made again with half the length
    int64_t limits[LITHE_LIMIT_COUNT]; ///< steps, by what kept them from being longer
    double step_shortest;              ///< s
    double step_longest;               ///< s
    int64_t crossings_avoided; ///< attempts refused: a rod would have passed through something
    int64_t pieces_held; ///< parts of steps in which contacts stopped what they were too soft for
    int64_t
        pieces_softened; ///< parts of steps solved only with couplings regularised more strongly
    int64_t topology_changes; ///< knots and links that changed: something passed through something
    char topology_first[256]; ///< the first of them in words, or empty
    double max_penetration;   ///< largest overlap of a contact at the start of a step [m]
    double energy_drift;      ///< largest |E + losses - work - E0| over the largest energy seen (at
                         ///< least that of a fall of everything through its own thickness), with
                         ///< all that friction, contacts and constraints took; NAN: no step
    int64_t peak_memory_bytes;
    double stages[LITHE_STAGE_COUNT]; ///< wall time of each stage in this call [s]
    int64_t contacts_stiffened;       ///< max of a step: acted with more than their stiffness
    uint64_t hash;                    ///< of the final state
} LitheSummary;

/// Runs from the start. The outcome is in `summary` also when it stops early. With `out`, the run
/// appends to OUT.journal, writes OUT.checkpoint, and at the end makes OUT from them and removes
/// them. An older OUT stays until the new one is complete.
LITHE_API LitheStatus lithe_run(const LitheScene *scene, const LitheRunDef *def,
                                LitheSummary *summary, LitheError *error);

/// Goes on with a run that stopped: `out` names its recording ("knot.h5", whose journal and
/// checkpoint lie beside it). Ends with the same bits as an uninterrupted run.
LITHE_API LitheStatus lithe_resume(LitheContext *context, const char *out, const LitheRunDef *def,
                                   LitheSummary *summary, LitheError *error);

/// Makes a recording from the journal of a run that stopped, as far as it went.
LITHE_API LitheStatus lithe_recover(LitheContext *context, const char *out, int64_t *frames,
                                    LitheError *error);

// --- a run that the caller steps
// ------------------------------------------------------------------

/// Writes the recording of a run whose steps the caller makes, with forces and targets that no
/// scene file knows.
typedef struct LitheRecorder LitheRecorder;

/// Begins OUT.journal for states of `model`, which `scene` was compiled to; both must outlive it.
/// `state` is where the recording begins; no frame is taken yet.
LITHE_API LitheStatus lithe_recorder_create(const LitheScene *scene, const LitheModel *model,
                                            const LitheState *state, const char *out,
                                            LitheRecorder **recorder, LitheError *error);

/// Adds a step to the sums of the run (may be left out).
LITHE_API void lithe_recorder_add_step(LitheRecorder *recorder, const LitheReport *report);

/// Adds a frame. `work` and `report` are of the step that led to the state; without them (NULL) no
/// contacts are known.
LITHE_API LitheStatus lithe_recorder_add_frame(LitheRecorder *recorder, const LitheState *state,
                                               const LitheWork *work, const LitheReport *report,
                                               LitheError *error);

/// Frames so far.
LITHE_API int64_t lithe_recorder_frame_count(const LitheRecorder *recorder);

/// Makes OUT from the journal and removes that. `reason`: why the run stopped early, or NULL. At
/// least one frame must have been added.
LITHE_API LitheStatus lithe_recorder_finish(LitheRecorder *recorder, const char *reason,
                                            LitheError *error);

/// Accepts NULL. Without lithe_recorder_finish the journal stays: `lithe recover` makes it OUT.
LITHE_API void lithe_recorder_destroy(LitheRecorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
