// SPDX-License-Identifier: Apache-2.0
// run/claims.h - which process runs which row of a study: locks on the bytes of one file
//
// Several processes, on one machine or on many with a common folder, share the rows of a study.
// Byte i of the file `claims` is locked by the process that runs row i. The system removes the
// locks of a process that ends for any reason: no claim outlives its owner, and nothing has to be
// cleaned up.

#ifndef LITHE_RUN_CLAIMS_H
#define LITHE_RUN_CLAIMS_H

#include "lithe/base.h"

typedef struct LitheClaims {
    const char *path; // owned by the caller
    int fd;           // -1: closed
} LitheClaims;

/// Opens or creates the file. With `alone` no other process may have it open, otherwise none that
/// is alone: LITHE_BAD_INPUT "another sweep is running".
LitheStatus lithe_claims_open(const char *path, bool alone, LitheClaims *claims, LitheError *error);

/// `*taken`: the row is ours until it is dropped. False: another process has it.
LitheStatus lithe_claims_take(const LitheClaims *claims, int32_t row, bool *taken,
                              LitheError *error);
void lithe_claims_drop(const LitheClaims *claims, int32_t row);

/// Between begin and end there is only one process: for files that all of them write.
LitheStatus lithe_claims_begin(const LitheClaims *claims, LitheError *error);
void lithe_claims_end(const LitheClaims *claims);

/// Accepts closed claims.
void lithe_claims_close(LitheClaims *claims);

#endif
