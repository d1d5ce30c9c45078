// SPDX-License-Identifier: Apache-2.0
// scene/field_rows.h - macros for the rows of fields*.c

#ifndef LITHE_SCENE_FIELD_ROWS_H
#define LITHE_SCENE_FIELD_ROWS_H

#include "scene/fields.h"

#include <stddef.h>

#define TABLE(name, fields) \
    { name, fields, (int32_t)(sizeof(fields) / sizeof *(fields)) }
#define AT(Type, member) .offset = offsetof(Type, member)
#define ALSO(Type, member) .also = offsetof(Type, member)
#define REQUIRED .flags = LITHE_FIELD_REQUIRED
#define SHORTHAND .flags = LITHE_FIELD_SHORTHAND
#define ALWAYS .flags = LITHE_FIELD_ALWAYS
// a number with a unit and a default
#define QUANTITY(name, want, Type, member, otherwise, text) \
    { \
        name, LITHE_FIELD_QUANTITY, LITHE_WANT_##want, AT(Type, member), .preset = otherwise, \
                                                                         .about = text \
    }
// for objects that may be repeated
#define REPEAT \
    { \
        "repeat", LITHE_FIELD_REPEAT, .preset = "none", \
                                      .about = "many of these: names with counts, {i: 10, j: 5}; " \
                                               "see Many of a kind" \
    }

#endif
