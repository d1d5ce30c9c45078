// SPDX-License-Identifier: Apache-2.0
// record/journal.h - the append-only file of a run: a kill at any moment loses at most one frame
//
//     head    magic, version, byte-order mark, size | layout (record/layout.h) | checksum
//     record  kind, size | payload | checksum          one per frame, one at the end of the run
//
// The payload of a frame is its columns, then the rows of its contacts, whose number follows from
// the size. Inputs of a user between steps have their own records, before the frame that follows.
//
// A checksum covers the place of its record in the file and the checksum of the head, so that
// records of another run or another place are never accepted. Reading stops at the first incomplete
// record; the file is truncated there.

#ifndef LITHE_RECORD_JOURNAL_H
#define LITHE_RECORD_JOURNAL_H

#include "data/monitor.h"
#include "lithe/model.h"
#include "record/layout.h"

#include <stddef.h>

/// Scheme of a run, and counts of steps that are not plain TR-BDF2. The struct has no padding.
typedef struct LitheSchemeTotals {
    char scheme[24]; // "backward-euler", ..; empty: unknown, in older files
    double step;     // s, of the scene; the largest one if steps adapt
    int64_t guarded; // steps with one of the following
    int64_t calmed;  // steps with velocities reduced because the energy rose
    int64_t euler;   // steps made by backward Euler, at least in part
    int64_t gained;  // steps after which overlaps held energy from nothing
} LitheSchemeTotals;

/// Sums over a run. They are part of checkpoints, so that a resumed run ends with the same sums.
typedef struct LitheTotals {
    int64_t steps;
    int64_t newton_iterations;
    int64_t steps_unconverged;
    int64_t hessians_corrected;
    int64_t dofs;
    int64_t contacts;           // of all steps together
    int64_t contacts_max;       // largest number in a step
    int64_t coupled_steps;      // in which some contact or constraint acted
    int64_t passes;             // of the coupled solve
    int64_t solve_iterations;   // of the coupled solve
    int64_t solve_unconverged;  // steps whose coupled solve stopped above its tolerance
    int64_t friction_unsettled; // steps that ended while normal impulses still changed
    int64_t constraints_broken;
    int64_t pairs_unserved;            // largest number in a step
    int64_t steps_cut;                 // steps done in substeps
    int64_t rejected;                  // attempts repeated in halves
    int64_t limits[LITHE_LIMIT_COUNT]; // steps, by what limited their length
    double shortest, longest;          // s, of all steps
    int64_t crossings; // attempts refused because a rod would have passed through something
    double deepest;    // m, largest overlap of a contact
    int64_t held;      // substeps in which contacts were stiffened to stop a crossing
    int64_t softened;  // substeps solved with more regularisation than the scene requests
    int64_t topology_changes;
    char topology_first[256]; // the first change as text
    int64_t framed_step;      // the step of the last frame; -1: none yet
    double energy_start;      // J, kinetic + elastic + gravity at t = 0
    double gravity_start;     // J, gravity part of energy_start; energy_scale uses its changes
    double energy_scale;  // J, largest of all energies (gravity: its change), losses and work; at
                          // least the energy of a fall of all things by their thickness
    double energy_error;  // J, largest |E + dissipated + taken - work - energy_start|
    int64_t stiffened;    // largest number of stiffened contacts in a step; not in older files
    LitheMonitor monitor; // in checkpoints since version 8; journals only have `gain`
    LitheSchemeTotals scheme; // in checkpoints since version 9
} LitheTotals;

/// Bytes of LitheTotals in files of all versions. What follows is stored separately.
#define LITHE_TOTALS_BYTES offsetof(LitheTotals, stiffened)

/// How a run ended. Written after the last frame.
typedef struct LitheJournalEnd {
    bool complete; // false: it was stopped; see `reason`
    double time;   // s, of the last good state
    uint64_t hash; // of that state
    LitheTotals totals;
    char reason[1024];
} LitheJournalEnd;

/// Numbers of an input: the step that it came before, and its content (run/input.h).
enum { LITHE_INPUT_SIZE = 10 };

typedef struct LitheJournal {
    LitheContext *context;
    char *path;
    int fd;
    LitheLayout layout;
    uint64_t mark;           // checksum of the head
    int64_t start;           // offset of the first record
    int64_t offset;          // after the last whole record
    int64_t frames;          // whole frames before `offset`
    int64_t torn;            // bytes after `offset` when it was opened
    bool ended;              // `end` is filled
    LitheJournalEnd end;     // how the run ended
    int64_t row_total;       // rows of all frames before `offset`
    unsigned char *record;   // one record
    int64_t record_capacity; // bytes
    int64_t frame_start;     // offset in the file of the values of the last frame read
    const double *rows;      // [row_count][layout.row_size] of the last frame read, in `record`
    int64_t row_count;       // rows of the last frame read
    double *inputs;          // [input_count][LITHE_INPUT_SIZE] before `offset`
    int32_t input_count, input_capacity; // capacity in numbers
} LitheJournal;

/// Atomically replaces the file by one with a head and no frames. Takes ownership of `layout` on
/// success. The caller has locked the output (run/output.h).
LitheStatus lithe_journal_create(LitheContext *context, const char *path, LitheLayout *layout,
                                 LitheJournal *journal, LitheError *error);

/// Reads the head and skips whole records until `limit` (an offset) or the first torn one. It
/// changes nothing on the disk. LITHE_FILE_ERROR: cannot be read; LITHE_BAD_INPUT: not a journal.
LitheStatus lithe_journal_open(LitheContext *context, const char *path, int64_t limit,
                               LitheJournal *journal, LitheError *error);

/// Truncates an opened journal at `offset`: call before the first append. The caller has locked the
/// output (run/output.h).
LitheStatus lithe_journal_truncate(LitheJournal *journal, LitheError *error);

/// Removes all frames: the next append follows the head.
void lithe_journal_rewind(LitheJournal *journal);

/// Appends `frame` [layout.frame_size] and `rows` [row_count][layout.row_size]. On failure the file
/// ends with the last whole record.
LitheStatus lithe_journal_append(LitheJournal *journal, const double *frame, const double *rows,
                                 int64_t row_count, LitheError *error);
LitheStatus lithe_journal_append_end(LitheJournal *journal, const LitheJournalEnd *end,
                                     LitheError *error);

/// Appends an input of a user, before the next frame.
LitheStatus lithe_journal_append_input(LitheJournal *journal, const double input[LITHE_INPUT_SIZE],
                                       LitheError *error);

/// Flushes everything that was appended to the disk.
LitheStatus lithe_journal_sync(LitheJournal *journal, LitheError *error);

/// Call before a recording is renamed to its final name. Waits while another process has the lock;
/// keeps it until the journal is closed or unlocked. Fails when the journal no longer exists: its
/// run has ended in the meantime and has written the complete recording.
LitheStatus lithe_journal_lock(LitheJournal *journal, LitheError *error);
void lithe_journal_unlock(LitheJournal *journal);

/// Reads the frames in order, one per call; `*cursor` is 0 before the first call. The rows of the
/// frame are in `journal->rows` until the next call. At most `journal->frames` calls.
LitheStatus lithe_journal_read(LitheJournal *journal, int64_t *cursor, double *frame,
                               LitheError *error);

/// Accepts a zeroed journal.
void lithe_journal_close(LitheJournal *journal);

#endif
