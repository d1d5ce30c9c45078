// SPDX-License-Identifier: Apache-2.0
// run/leftovers.h - temporary files that a killed run left beside its output

#ifndef LITHE_RUN_LEFTOVERS_H
#define LITHE_RUN_LEFTOVERS_H

/// Removes "OUT.PID-K.tmp" and those of its journal and checkpoint. Call only while this run has
/// locked the output: then no other run writes them.
void lithe_leftovers_remove(const char *out);

#endif
