// SPDX-License-Identifier: Apache-2.0
// scene/import_mjcf.c - robots from MJCF

#include "scene/import.h"

#include "base/status.h"

LitheStatus lithe_import_mjcf(LitheImport *import, LitheXmlNode *root) {
    return lithe_fail_at(import->error, LITHE_NOT_SUPPORTED, root->file, root->line, 0,
                         "MJCF is not read yet");
}
