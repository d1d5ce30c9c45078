// SPDX-License-Identifier: Apache-2.0
// import/value.c - values of attributes: numbers, vectors, names

#define _GNU_SOURCE // strtod_l

#include "import/import.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char gaps[] = " \t\r\n";

// Characters of a value that a message shows.
static int shown(size_t length) {
    return length < 40 ? (int)length : 40;
}

static LitheStatus read_number(LitheImport *import, const LitheXmlNode *node, const char *name,
                               const char *at, size_t width, locale_t plain, double *out) {
    if (memchr(at, ',', width))
        return lithe_import_fail(import, node,
                                 "<%s>: %s: '%.*s' has a comma: write a point for decimals and "
                                 "spaces between numbers",
                                 node->name, name, shown(width), at);
    char *end = NULL;
    double value = 0;
    if (strspn(at, "0123456789+-.eE") >= width)
        value = strtod_l(at, &end, plain);
    if (end != at + width)
        return lithe_import_fail(import, node, "<%s>: %s: '%.*s' is not a number", node->name, name,
                                 shown(width), at);
    if (!isfinite(value))
        return lithe_import_fail(import, node, "<%s>: %s: '%.*s' is too large", node->name, name,
                                 shown(width), at);
    *out = value;
    return LITHE_OK;
}

LitheStatus lithe_import_numbers(LitheImport *import, const LitheXmlNode *node, const char *name,
                                 const char *value, int32_t min, int32_t max, double *out,
                                 int32_t *count) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return lithe_import_fail_memory(import);
    LitheStatus status = LITHE_OK;
    int32_t n = 0;
    for (const char *at = value + strspn(value, gaps); *at && !status; at += strspn(at, gaps)) {
        size_t width = strcspn(at, gaps);
        if (n == max)
            status = lithe_import_fail(import, node, "<%s>: %s has more than %d number%s",
                                       node->name, name, max, max == 1 ? "" : "s");
        else
            status = read_number(import, node, name, at, width, plain, &out[n++]);
        at += width;
    }
    freelocale(plain);
    if (!status && n < min)
        status = lithe_import_fail(import, node, "<%s>: %s has %d number%s, expected %d",
                                   node->name, name, n, n == 1 ? "" : "s", min);
    if (!status && count)
        *count = n;
    return status;
}

LitheStatus lithe_import_number(LitheImport *import, const LitheXmlNode *node, const char *name,
                                double *out) {
    const char *value = node ? lithe_xml_value(node, name) : NULL;
    return value ? lithe_import_numbers(import, node, name, value, 1, 1, out, NULL) : LITHE_OK;
}

LitheStatus lithe_import_vector(LitheImport *import, const LitheXmlNode *node, const char *name,
                                Vec3 *out) {
    const char *value = node ? lithe_xml_value(node, name) : NULL;
    double numbers[3];
    if (!value)
        return LITHE_OK;
    LitheStatus status = lithe_import_numbers(import, node, name, value, 3, 3, numbers, NULL);
    if (!status)
        *out = v3_load(numbers);
    return status;
}

int32_t lithe_import_choice(const char *value, const char *const *words, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    return -1;
}

LitheStatus lithe_import_name(LitheImport *import, const LitheXmlNode *node, const char *value) {
    if (!value || !*value)
        return lithe_import_fail(import, node, "<%s> has no name", node->name);
    if (strlen(value) > 200)
        return lithe_import_fail(import, node, "<%s>: a name of %zu bytes, at most 200", node->name,
                                 strlen(value));
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return lithe_import_fail(import, node, "<%s>: a control character in the name",
                                     node->name);
    return LITHE_OK;
}
