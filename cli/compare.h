// SPDX-License-Identifier: Apache-2.0
// cli/compare.h - between the files of lithe compare

#ifndef LITHE_CLI_COMPARE_H
#define LITHE_CLI_COMPARE_H

#include "cli/cli.h"

enum { LITHE_COMPARE_MODELS = LITHE_CONTACT_MODEL_COUNT };

/// One contact model: whether it can serve the scene, how its run went, what came out.
typedef struct LitheCompared {
    const char *model;
    bool served;
    char reason[1024]; // why not served, or why it stopped early; or empty
    bool stopped;      // before its end
    LitheSummary summary;
    double busy_seconds; // of the processor, all threads

    // of its recording
    double *time, *force, *gap; // [frames]; force smoothed [N or N m]; least gap of a contact that
                                // carries a force [m], NAN: none does
    int32_t frames;
    double force_largest, force_mean, force_end;
    double rms, largest, median; // differences of the force from that of the first model, relative
    double gap_mean;             // of `gap` over the frames that have one [m]
    double away;                 // farthest node from where the first model has it, last frame [m]
    double kinetic, elastic, work, dissipated, friction, contact; // [J] at the last frame
} LitheCompared;

/// A comparison at work.
typedef struct LitheComparison {
    LitheContext *context;
    const char *scene;
    const char *title; // may be NULL
    char folder[3000];
    char quantity[300]; // what is compared, as lithe plot names it
    char unit[32];
    double smooth; // [s] mean over so long a time; 0: as recorded
    bool log;      // logarithmic axis of forces
    LitheCompared of[LITHE_COMPARE_MODELS];
    int32_t count; // models, in the order asked for
} LitheComparison;

/// The first model that ran: the others are compared with it. NULL when none did.
const LitheCompared *lithe_compare_first(const LitheComparison *all);

/// "FOLDER/NAME".
void lithe_compare_file(const LitheComparison *all, const char *name, char path[4096]);

/// Reads the recordings of the models that ran, and compares. Arrays are freed by release.
LitheStatus lithe_compare_measure(LitheComparison *all, LitheError *error);
void lithe_compare_release(LitheComparison *all);

/// The table, and in words what differs between the models.
void lithe_compare_table(const LitheComparison *all, FILE *file);

/// One JSON object a model and line.
void lithe_compare_json(const LitheComparison *all, FILE *file);

/// force.svg, gap.svg (where anything touched), curves.csv, compare.json and report.txt.
LitheStatus lithe_compare_write(const LitheComparison *all, LitheError *error);

#endif
