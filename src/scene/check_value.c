// SPDX-License-Identifier: Apache-2.0
// scene/check_value.c - single values: limits, and the messages about wrong ones

#include "base/log.h"
#include "math/quat.h"
#include "scene/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lithe_check_select(LitheCheck *check, const char *kind, const char *section, const char *name,
                        int32_t index) {
    if (name)
        snprintf(check->label, sizeof check->label, "%s '%.*s'", kind, LITHE_NAME_LENGTH, name);
    else
        snprintf(check->label, sizeof check->label, "%s %d", kind, index + 1);
    snprintf(check->path, sizeof check->path, "%s.%.*s", section, LITHE_NAME_LENGTH,
             name ? name : "");
    check->prefix = "";
}

static void report(LitheCheck *check, const char *key, const char *format, va_list arguments) {
    char text[800], path[512];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(path, sizeof path, "%s%s%s%s", check->path, *key ? "." : "", check->prefix, key);
    snprintf(check->failed, sizeof check->failed, "%s%s", check->prefix, key);
    check->status =
        lithe_scene_fail(check->scene, check->error, path, "%s: %s", check->label, text);
}

void lithe_check_fail(LitheCheck *check, const char *key, const char *format, ...) {
    if (check->status != LITHE_OK)
        return;
    va_list arguments;
    va_start(arguments, format);
    report(check, key, format, arguments);
    va_end(arguments);
}

void lithe_check_warn(const LitheCheck *check, const char *key, const char *format, ...) {
    if (!check->warn)
        return;
    char text[800], path[512];
    LitheError error = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s%s%s%s", check->path, *key ? "." : "", check->prefix, key);
    lithe_scene_fail(check->scene, &error, path, "%s", text); // puts the place before the text
    lithe_log(check->scene->context, LITHE_LOG_WARNING, "%s", error.text);
}

// As lithe_check_fail, also where another value of the object is wrong already: a limit of a number
// depends on nothing else.
static void fail_too(LitheCheck *check, const char *key, const char *format, ...)
    LITHE_PRINTF(3, 4);
static void fail_too(LitheCheck *check, const char *key, const char *format, ...) {
    char own[128];
    snprintf(own, sizeof own, "%s%s", check->prefix, key);
    if (check->status == LITHE_NO_MEMORY ||
        (check->status != LITHE_OK && strcmp(own, check->failed) == 0))
        return;
    if (check->status != LITHE_OK) {
        if (check->mistakes.count >= LITHE_MISTAKES_MAX)
            return;
        lithe_mistakes_add(&check->mistakes, check->error);
    }
    va_list arguments;
    va_start(arguments, format);
    report(check, key, format, arguments);
    va_end(arguments);
}

// --- values --------------------------------------------------------------------------------------

void lithe_check_number(LitheCheck *check, const char *key, double value, const char *unit,
                        LitheLimit limit) {
    const char *space = *unit ? " " : "";
    if (!isfinite(value)) // may be one that is missing, which was said
        lithe_check_fail(check, key, "%s is %g%s%s, must be finite", key, value, space, unit);
    else if (limit == LITHE_POSITIVE && !(value > 0))
        fail_too(check, key, "%s is %.9g%s%s, must be > 0", key, value, space, unit);
    else if (limit == LITHE_NOT_NEGATIVE && value < 0)
        fail_too(check, key, "%s is %.9g%s%s, must be >= 0", key, value, space, unit);
    // products of larger ones are not finite
    else if ((strcmp(unit, "m") == 0 || strcmp(unit, "Pa") == 0) && !(fabs(value) < LITHE_LONGEST))
        lithe_check_fail(check, key, "%s is %g %s, must be below %g %s", key, value, unit,
                         LITHE_LONGEST, unit);
}

void lithe_check_vector(LitheCheck *check, const char *key, LitheVec3 v, const char *unit) {
    bool finite = v3_finite(v);
    // the squares of large numbers are not finite
    if (!finite || !isfinite(v3_norm(v)))
        lithe_check_fail(check, key, "%s is (%g, %g, %g)%s%s, %s", key, v.x, v.y, v.z,
                         *unit ? " " : "", unit,
                         finite ? "its length must be finite" : "must be finite");
    else if (strcmp(unit, "m") == 0 && !(v3_norm(v) < LITHE_LONGEST))
        lithe_check_fail(check, key, "%s is (%g, %g, %g) m, must be below %g m", key, v.x, v.y, v.z,
                         LITHE_LONGEST);
}

void lithe_check_direction(LitheCheck *check, const char *key, LitheVec3 v) {
    bool given = v.x != 0 || v.y != 0 || v.z != 0;
    lithe_check_vector(check, key, v, "");
    if (given && v3_norm(v) < LITHE_SHORTEST_DIRECTION)
        lithe_check_fail(check, key, "%s is (%g, %g, %g), its length must be at least %g", key, v.x,
                         v.y, v.z, LITHE_SHORTEST_DIRECTION);
}

void lithe_check_quat(LitheCheck *check, const char *key, LitheQuat q) {
    double norm = q4_norm(q);
    if (!(fabs(norm - 1) <= LITHE_UNIT_TOLERANCE))
        lithe_check_fail(check, key,
                         "%s is the quaternion (%.9g, %.9g, %.9g, %.9g) of length %.9g, must be of "
                         "length 1",
                         key, q.w, q.x, q.y, q.z, norm);
}

void lithe_check_choice(LitheCheck *check, const char *key, int value, int count) {
    if (value < 0 || value >= count)
        lithe_check_fail(check, key, "%s is %d, must be one of %d kinds", key, value, count);
}

void lithe_check_array(LitheCheck *check, const char *key, const double *values, int32_t count,
                       int32_t wanted, const char *things, const char *unit, LitheLimit limit) {
    if (!values)
        return;
    if (wanted >= 0 && count != wanted)
        lithe_check_fail(check, key, "%s has %d values, the rod has %d %s", key, count, wanted,
                         things);
    char name[64];
    for (int32_t i = 0; i < count && check->status == LITHE_OK; i++) {
        if (isfinite(values[i]) && (limit == LITHE_ANY || values[i] > 0))
            continue;
        snprintf(name, sizeof name, "%s[%d]", key, i);
        lithe_check_number(check, name, values[i], unit, limit);
    }
}

void lithe_check_suspect(LitheCheck *check, const char *key, double value, double low, double high,
                         const char *unit) {
    bool quiet = !check->warn || check->scene->allow_unusual;
    if (check->status != LITHE_OK || quiet || (value >= low && value <= high))
        return;
    const char *space = *unit ? " " : "";
    lithe_log(check->scene->context, LITHE_LOG_WARNING,
              "%s: %s%s is %.9g%s%s: legal, but unusual (typical: %g to %g%s%s)", check->label,
              check->prefix, key, value, space, unit, low, high, space, unit);
}

void lithe_check_profile(LitheCheck *check, const char *key, const LitheProfileDef *p,
                         const char *unit) {
    const char *outer = check->prefix;
    char prefix[64], rate_unit[32], name[64];
    snprintf(prefix, sizeof prefix, "%s.", key);
    snprintf(rate_unit, sizeof rate_unit, "%s%s", *unit ? unit : "1", "/s");
    check->prefix = prefix;
    lithe_check_choice(check, "kind", (int)p->kind, LITHE_PROFILE_HOLD + 1);
    lithe_check_number(check, "value", p->value, unit, LITHE_ANY);
    lithe_check_number(check, "rate", p->rate, rate_unit, LITHE_ANY);
    lithe_check_number(check, "amplitude", p->amplitude, unit, LITHE_ANY);
    lithe_check_number(check, "frequency", p->frequency, "Hz", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "phase", p->phase, "rad", LITHE_ANY);
    if (p->count < 0 || (p->count > 0 && (!p->times || !p->values)))
        lithe_check_fail(check, "table", "table has %d points, but not their times and values",
                         p->count);
    for (int32_t i = 0; i < p->count && check->status == LITHE_OK; i++) {
        snprintf(name, sizeof name, "table[%d]", i);
        lithe_check_number(check, name, p->times[i], "s", LITHE_ANY);
        lithe_check_number(check, name, p->values[i], unit, LITHE_ANY);
        if (i > 0 && !(p->times[i] > p->times[i - 1]))
            lithe_check_fail(check, name, "%s: table[%d] is at %.9g s, must be after %.9g s", key,
                             i, p->times[i], p->times[i - 1]);
    }
    check->prefix = outer;
}
