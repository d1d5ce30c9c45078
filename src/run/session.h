// SPDX-License-Identifier: Apache-2.0
// run/session.h - the data of a run, and the loop over its steps

#ifndef LITHE_RUN_SESSION_H
#define LITHE_RUN_SESSION_H

#include "lithe/run.h"

#include "record/frame.h"
#include "record/journal.h"
#include "record/layout_map.h"
#include "record/topology.h"

/// Steps of this call of lithe_run or lithe_resume in which a pose drive missed its path, and the
/// error that inverse kinematics left in them: the pose at the commanded joint positions, compared
/// with the path. The deflection of a compliant arm (a drive with stiffness) does not count.
typedef struct LitheMissed {
    int64_t steps;
    double first;           // s, end of the first of these steps
    double distance, angle; // largest errors, m and rad
} LitheMissed;

/// What a user has grabbed; zero: nothing.
typedef struct LitheGrab {
    bool on;
    int32_t kind;        // LitheInputKind, which gives the kind of object: rod, body or particles
    int32_t index, node; // of the object; of its node or particle; from 0
    double at[3], to[3]; // grabbed point in the body's frame, its target in the world [m]
} LitheGrab;

/// Pairs of things that overlapped by more than is small. Of more pairs than fit only the deepest
/// one is known.
typedef struct LitheDeepPairs {
    struct LitheDeepPair {
        uint64_t key;
        int stage; // 1: an overlap that is not small was seen; 2: one beyond the middle of a thing
    } of[64];
    int32_t count;
    int32_t warned; // warnings so far
    LitheContact deepest;
    double fraction; // its overlap, of the smaller half thickness; 0: none
    double time;     // s
    double said;     // the largest one that was warned of
    // of a pair of materials that touch at points, and the one with which its load would press them
    // together by little; 0: none is known [N/m]
    double stiffness, enough;
    int32_t material[2];
} LitheDeepPairs;

/// The data of one call of lithe_run or lithe_resume: "this call" below.
typedef struct LitheSession {
    LitheContext *context;
    const LitheRunDef *def;

    // files; NULL when nothing is recorded
    char *out;
    char *journal_path;
    char *checkpoint_path;
    LitheJournal journal;
    LitheLayoutMap stored; // resumed run: maps `layout` to that of the journal

    LitheModel *model;
    LitheState *state;
    LitheState *first; // the state for a restart; NULL without a viewer
    LitheWork *work;
    LitheReport report; // of the last step
    LitheLayout layout; // until the journal owns it
    LitheFrameMap map;
    LitheTopology topology;
    double *frame; // [frame_size]
    int64_t frame_size;
    int64_t next_frame;             // fixed step: the step of the next frame
    LitheState *before;             // adaptive step: the state before the last step; NULL: fixed
    double *ends;                   // [2][frame_size] adaptive step: frames at its start and end
    unsigned char *limit_reported;  // [joint_count] 1: reaching a limit has been logged
    unsigned char *broken_reported; // [constraint_count] 1: breaking has been logged
    bool folded_reported;           // edges of rods too bent for their pressure field
    bool unsupported_reported;      // pairs of shapes whose contact is not supported
    bool astray_reported;           // friction that does not oppose the sliding
    bool poke_reported;             // a shape between the nodes of a surface
    bool uneven_reported;           // a face or line that turns with an uneven load
    bool joined_reported;           // a line that joins strands of a knot passes through one
    bool opened_reported;           // things that a law of friction keeps apart as they slide
    LitheDeepPairs deep;
    LitheProgress shown;           // the last one
    double stepped_at;             // wall time when the last step ended [s]
    LitheGrab grab;                // not stored itself: the journal has the inputs that change it
    int32_t changes_reported;      // topology changes (knots, linking) reported
    LitheMissed *missed;           // [pose_drive_count]
    struct LitheMeshError *meshes; // [unit_count] where each stored most energy in this call
    LitheEnergy energy;            // of the state, as recorded in a frame after the last step
    bool energy_known;             // there is one
    int64_t steps_made;            // in this call
    int64_t steps_unstable;        // static steps to an unstable equilibrium, in this call
    int64_t steps_inverted;        // steps that ended with elements turned inside out, in this call
    int32_t inverted;              // elements that are turned inside out after the last step
    int32_t unstable;              // negative pivots of the last equilibrium; -1: not counted

    double step;  // s
    double every; // s, time between two frames
    double end;   // s, simulated time at which the run ends

    LitheTotals totals;
    int64_t frames;

    // wall clock [s]; determines when to save and to report, never the results
    double began;
    double began_time; // simulated time at which this call began
    double waited;     // for a viewer (paused, or ahead of real time); excluded from summary.rate
    double checkpoint_due;
    double saved_time; // simulated time of the last checkpoint; 0: none
    double shown_at;   // when the last line of progress was printed
    double shown_time; // simulated time, steps and Newton iterations at that line
    int64_t shown_steps;
    int64_t shown_newton;
} LitheSession;

/// Compiles the scene and allocates. `out` (may be NULL) has been checked and locked
/// (run/output.h). End with lithe_session_end in any case.
LitheStatus lithe_session_begin(LitheSession *session, const LitheScene *scene,
                                const LitheRunDef *def, const char *out, double end,
                                LitheError *error);
void lithe_session_end(LitheSession *session);

/// Starts at t = 0: a new journal, the equilibrium if the scene requests it, and the first frame.
LitheStatus lithe_session_start(LitheSession *session, const LitheScene *scene, LitheError *error);

/// Records one frame of the current state, unless it exists already; `work` as for
/// lithe_frame_fill.
LitheStatus lithe_session_take_frame(LitheSession *session, const LitheWork *work,
                                     LitheError *error);

/// For adaptive steps: frames_open allocates; frames_due, called after each step, records the
/// frames that are due within it.
LitheStatus lithe_session_frames_open(LitheSession *session, LitheError *error);
LitheStatus lithe_session_frames_due(LitheSession *session, LitheError *error);

/// Whether the state has reached the end.
bool lithe_session_is_over(const LitheSession *session);

/// keep_first stores the current state as the first one. restart returns to it and removes all
/// frames.
LitheStatus lithe_session_keep_first(LitheSession *session, LitheError *error);
LitheStatus lithe_session_restart(LitheSession *session, LitheError *error);

/// Steps to the end, then writes the recording. If the simulation cannot continue, saves a
/// checkpoint and writes the recording so far; after an interrupt it saves a checkpoint only.
/// `error` then says what was saved, or how to continue.
LitheStatus lithe_session_loop(LitheSession *session, LitheError *error);

/// A LitheTopologyFn whose user is the session: logs the change and counts it.
void lithe_session_report_change(const LitheTopologyChange *change, void *user);

/// Logs the first knot whose joining lines pass through its strands in the filled frame.
void lithe_session_report_knots(LitheSession *session);

/// The errors of meshes (session_mesh.c): memory, nothing known, an estimate where
/// it is due (at a frame, or at the end), warnings of large ones, the largest one.
bool lithe_session_open_meshes(LitheSession *session);
void lithe_session_clear_meshes(LitheSession *session);
void lithe_session_judge_meshes(LitheSession *session, bool over);
void lithe_session_report_meshes(LitheSession *session);
/// Energy that a mesh misses in contacts with bodies that are narrow against its elements (S79) [J]
/// (session_zone.c).
double lithe_session_narrow(const LitheSession *session, LitheThing thing,
                            const struct LitheMeshError *of);
void lithe_session_sum_meshes(const LitheSession *session, LitheSummary *summary);

/// LITHE_BAD_INPUT when objects overlap as built by more than contact.start-overlap.
LitheStatus lithe_session_refuse_overlaps(const LitheSession *session, LitheError *error);

/// Warns when objects overlap deeply at the start.
LitheStatus lithe_session_report_overlaps(LitheSession *session, LitheError *error);

/// Each logs the first time that something happens. INFO: a constraint breaks (each constraint), a
/// joint reaches a limit (each joint; a warning where an exact drive exceeds a velocity limit).
/// Warnings: shapes come close whose contact is not supported, friction does not oppose the
/// sliding, bodies turn on each other where their points do not share the load evenly, an overlap
/// is not small (of each pair of things, and once more if one is beyond the middle of a thing; some
/// pairs at most).
void lithe_session_report_broken(LitheSession *session);
void lithe_session_report_unsupported(LitheSession *session);
void lithe_session_report_folded(LitheSession *session);
void lithe_session_report_astray(LitheSession *session);
void lithe_session_report_deep(LitheSession *session);

/// Names the deepest of several pairs at the end.
void lithe_session_report_deepest(const LitheSession *session);
void lithe_session_report_poke(LitheSession *session);
void lithe_session_report_uneven(LitheSession *session);
void lithe_session_report_limits(LitheSession *session);

/// count_missed adds the last step to `missed`; report_missed warns, at the end of the run, of each
/// pose drive that missed its path.
void lithe_session_count_missed(LitheSession *session);
void lithe_session_report_missed(LitheSession *session);

/// At the end of a run whose energy guard acted often, or whose energy drifted: names the drive
/// whose spring the step resolves least.
void lithe_session_report_stiff(LitheSession *session);

/// Warns at the end of the run how many steps did not converge, if there are several (a single one
/// has been reported when it was made).
void lithe_session_report_unconverged(LitheSession *session);

/// Adds a hint to a message without losing its beginning; accepts NULL.
void lithe_add_hint(LitheError *error, const char *format, ...) LITHE_PRINTF(2, 3);

/// Adds the report of a step, or the energies of a frame, to the sums of a run; `first` is true for
/// the first frame.
void lithe_totals_add_step(LitheTotals *totals, const LitheReport *report);
void lithe_totals_add_energy(const LitheModel *model, const LitheEnergy *energy, bool first,
                             LitheTotals *totals);

/// Stores the scheme and the step of the model, for summaries and recordings.
void lithe_totals_set_scheme(const LitheModel *model, LitheTotals *totals);

/// Fills those members of a summary that follow from `totals`.
void lithe_session_sums(const LitheTotals *totals, LitheSummary *summary);
/// Fills all members of a summary.
void lithe_session_summary(const LitheSession *session, LitheSummary *summary);

/// Writes the recording from a finished journal, and removes journal and checkpoint.
LitheStatus lithe_session_publish(LitheJournal *journal, const char *out, const char *checkpoint,
                                  LitheError *error);

#endif
