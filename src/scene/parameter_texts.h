// SPDX-License-Identifier: Apache-2.0
// scene/parameter_texts.h - the parameters of a scene file as they are written

#ifndef LITHE_SCENE_PARAMETER_TEXTS_H
#define LITHE_SCENE_PARAMETER_TEXTS_H

#include "lithe/base.h"

/// Calls `take` with the name and the text of each parameter whose value is a scalar, in the order
/// of the file; false from it ends with LITHE_NO_MEMORY. Files that it includes are not read; a
/// file that cannot be opened has no parameters.
LitheStatus lithe_parameter_texts(LitheContext *context, const char *path,
                                  bool (*take)(const char *name, const char *text, void *user),
                                  void *user, LitheError *error);

#endif
