// SPDX-License-Identifier: Apache-2.0
// scene/field_rows.h - macros for the rows of fields*.c, which include scene/fields.h

#ifndef LITHE_SCENE_FIELD_ROWS_H
#define LITHE_SCENE_FIELD_ROWS_H

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
// another key for a member that has one already: read, never written
#define OTHER_NAME(name, want, Type, member, text) \
    { \
        name, LITHE_FIELD_QUANTITY, LITHE_WANT_##want, SHORTHAND, AT(Type, member), \
            .preset = "none", .about = text \
    }
#define DIAMETER(Type, member) \
    { \
        "diameter", LITHE_FIELD_DIAMETER, LITHE_WANT_LENGTH, SHORTHAND, AT(Type, member), \
            .preset = "none", .about = "instead of radius: twice as large" \
    }
// for objects that may be repeated
#define REPEAT \
    { \
        "repeat", LITHE_FIELD_REPEAT, .preset = "none", \
                                      .about = "many of these: names with counts, {i: 10, j: 5}; " \
                                               "see Many of a kind" \
    }

#endif
