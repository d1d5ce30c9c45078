// SPDX-License-Identifier: Apache-2.0
// cli/compare.h - interface between the files of lithe compare

#ifndef LITHE_CLI_COMPARE_H
#define LITHE_CLI_COMPARE_H

#include "cli/cli.h"

enum { LITHE_COMPARE_MODELS = LITHE_CONTACT_LCP + 1 };

/// One contact model: whether it supports the scene, the summary of its run, its results.
typedef struct LitheCompared {
    const char *model;
    bool supported;
    char reason[1024]; // why it does not support the scene or stopped early; or empty
    bool stopped;      // before its end
    LitheSummary summary;
    double busy_seconds; // processor time, all threads

    // from its recording
    double *time, *force, *gap; // [frames]; force smoothed [N or N m]; smallest gap of the active
                                // contacts [m], NAN: none
    int32_t frames;
    double force_largest, force_mean, force_end;
    double rms, largest, median; // relative differences of the force from the first model
    double gap_mean;             // of `gap` over the frames that have one [m]
    double away; // max distance of a node, particle or body from the first model, last frame [m]
    double kinetic, elastic, work, dissipated, friction, contact; // [J] at the last frame
} LitheCompared;

/// A comparison.
typedef struct LitheComparison {
    LitheContext *context;
    const char *scene;
    const char *title; // may be NULL
    char folder[3000];
    char quantity[300]; // compared quantity, named as for lithe plot
    char unit[32];
    double smooth; // [s] mean over this time; 0: as recorded
    bool log;      // logarithmic axis of forces
    LitheCompared of[LITHE_COMPARE_MODELS];
    int32_t count; // models, in the requested order
} LitheComparison;

/// The first model that ran: the others are compared with it. NULL when none did.
const LitheCompared *lithe_compare_first(const LitheComparison *all);

/// "FOLDER/NAME".
void lithe_compare_file(const LitheComparison *all, const char *name, char path[4096]);

/// Reads the recordings of the models that ran and compares them. Release frees the arrays.
LitheStatus lithe_compare_measure(LitheComparison *all, LitheError *error);
void lithe_compare_release(LitheComparison *all);

/// Prints the table, and in words what differs between the models.
void lithe_compare_table(const LitheComparison *all, FILE *file);

/// One JSON object per model and line.
void lithe_compare_json(const LitheComparison *all, FILE *file);

/// Writes force.svg, gap.svg (if there were contacts), curves.csv, compare.json and report.txt.
LitheStatus lithe_compare_write(const LitheComparison *all, LitheError *error);

/// Whether an argument is the name of a recording (.h5), so that recordings are compared.
bool lithe_compare_wants_recordings(int argc, char **argv);

/// `lithe compare A.h5 B.h5`: takes the arguments of the command.
int lithe_compare_recordings(int argc, char **argv);

#endif
