// SPDX-License-Identifier: Apache-2.0
// plan/user_terms.h - costs and constraints of the user on quantities of a stage
//
// An expression is a list of nodes, each with nodes before it as operands. It is recorded on the
// tape of the stage, so that its derivatives are exact. One record serves all stages: data per
// stage say where a row holds.

#ifndef LITHE_PLAN_USER_TERMS_H
#define LITHE_PLAN_USER_TERMS_H

#include "plan/tape.h"

typedef enum LitheUserOp {
    LITHE_USER_CONSTANT, // value
    LITHE_USER_NOW,      // variable a of the stage
    LITHE_USER_BEFORE,   // variable a of the stage before
    LITHE_USER_DATA,     // number a of the data of the stage
    LITHE_USER_DISK,     // component b of disk a of the arm: LITHE_USER_DISK_COMPONENTS
    LITHE_USER_ADD,      // a + b
    LITHE_USER_SUBTRACT,
    LITHE_USER_MULTIPLY,
    LITHE_USER_FUNCTION, // LitheTapeFunction b of node a
    LITHE_USER_OPS
} LitheUserOp;

/// Position, rotation (by rows), velocity and angular velocity, in the axes of the arm's base.
#define LITHE_USER_DISK_COMPONENTS 18

typedef struct LitheUserNode {
    int32_t op, a, b;
    double value;
} LitheUserNode;

typedef enum LitheUserKind {
    LITHE_USER_COST,       // is added
    LITHE_USER_EQUATION,   // is 0
    LITHE_USER_INEQUALITY, // is >= 0
    LITHE_USER_KINDS
} LitheUserKind;

typedef struct LitheUserRow {
    int32_t kind, node;
    int32_t by; // number of the data: weight of a cost, or 1 where a constraint holds and 0
                // elsewhere; -1: a cost counts times the step, a constraint holds everywhere
    const char *name;
} LitheUserRow;

typedef struct LitheUserTerms {
    const LitheUserNode *nodes;
    int32_t node_count;
    const LitheUserRow *rows;
    int32_t row_count;
    const double *data; // [stages*data_count]
    int32_t data_count, stages;
} LitheUserTerms;

/// LITHE_BAD_INPUT, with a message, for operands, variables or disks that do not exist.
LitheStatus lithe_user_terms_check(const LitheUserTerms *terms, int32_t variables, int32_t disks,
                                   LitheError *error);

/// Rows of a kind. `terms` may be NULL: 0.
int32_t lithe_user_terms_count(const LitheUserTerms *terms, LitheUserKind kind);

/// Variables that stand in for equations where they do not hold.
int32_t lithe_user_terms_variables(const LitheUserTerms *terms);

/// The name of row `index` of a kind.
const char *lithe_user_terms_name(const LitheUserTerms *terms, LitheUserKind kind, int32_t index);

/// Data of stage k of a problem with `stages` stages, [data_count].
const double *lithe_user_terms_data(const LitheUserTerms *terms, int32_t k, int32_t stages);

/// Copies them; without terms (NULL) there are none.
void lithe_user_terms_copy_data(const LitheUserTerms *terms, int32_t k, int32_t stages, double *to);

/// Terms of a tape that expressions use.
typedef struct LitheUserRecord {
    LitheTape *tape;
    int32_t variables;             // of a stage; inputs: before, now
    int32_t data;                  // parameter of the first datum
    int32_t stand_in;              // place among the variables of the first variable that stands in
    int32_t efforts, effort_count; // places of the efforts: their rows need the equations of motion
    LitheTerm dynamic;             // 1: with the equations of motion; 0: without
    double step;
    const LitheTerm *disks; // [disks*LITHE_USER_DISK_COMPONENTS]
} LitheUserRecord;

/// Rows of a stage: the sum of the costs, then outputs are made of the equations or of the
/// inequalities.
typedef struct LitheUserRows LitheUserRows;
LitheUserRows *lithe_user_rows_new(LitheContext *context, const LitheUserTerms *terms,
                                   const LitheUserRecord *record);
LitheTerm lithe_user_rows_cost(const LitheUserRows *rows);
void lithe_user_rows_output(const LitheUserRows *rows, LitheUserKind kind);
void lithe_user_rows_free(LitheUserRows *rows);

#endif
