// SPDX-License-Identifier: Apache-2.0
// cli/run_goals.h - the goals of a scene in the summary of its run

#ifndef LITHE_CLI_RUN_GOALS_H
#define LITHE_CLI_RUN_GOALS_H

#include "cli/cli.h"
#include "run/goals.h"

/// Measures the goals in a finished recording; release the results even after failure.
LitheStatus lithe_cli_goals(LitheContext *context, const char *path, LitheGoalResults *results,
                            LitheError *error);
void lithe_cli_print_goals(const LitheGoalResults *results);
void lithe_cli_json_goals(LitheJson *json, const LitheGoalResults *results);

#endif
