// SPDX-License-Identifier: Apache-2.0
// scene/quantity.c - evaluates quantities: a recursive descent over the grammar in quantity.h

#include "scene/quantity.h"

#include "scene/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// nested brackets, signs and powers; limits the depth of the stack
#define MAX_DEPTH 100
#define WORD_SIZE 64

typedef struct Reader {
    const char *at;
    LitheLookupFn *lookup;
    void *user;
    char *why;
    size_t why_size;
    int depth;
    bool failed;
} Reader;

static LitheQuantity fail(Reader *r, const char *format, ...) LITHE_PRINTF(2, 3);

// only the first reason is kept
static LitheQuantity fail(Reader *r, const char *format, ...) {
    if (!r->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(r->why, r->why_size, format, arguments);
        va_end(arguments);
    }
    r->failed = true;
    return (LitheQuantity){0};
}

static void skip_space(Reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
        r->at++;
}

static bool take(Reader *r, char c) {
    skip_space(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool starts_word(const char *c) {
    return (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' || *c == '%' ||
           strncmp(c, "\xc2\xb5", 2) == 0 || strncmp(c, "\xce\xbc", 2) == 0;
}

// Copies the word at `at` and returns its end. Words longer than `size` are cut and match no name.
static const char *peek_word(const char *at, char *word, size_t size) {
    size_t n = 0;
    if (*at == '%') {
        snprintf(word, size, "%%");
        return at + 1;
    }
    while (starts_word(at) || is_digit(*at) || (unsigned char)*at >= 0x80) {
        if (*at == '%')
            break;
        if (n + 1 < size)
            word[n++] = *at;
        at++;
    }
    word[n] = '\0';
    return at;
}

// --- units ---------------------------------------------------------------------------------------

static void multiply_unit(LitheUnitOfMeasure *unit, const LitheUnitOfMeasure *by, int power) {
    unit->factor *= pow(by->factor, power);
    unit->power += by->power * power;
    unit->dimension.length += by->dimension.length * power;
    unit->dimension.mass += by->dimension.mass * power;
    unit->dimension.time += by->dimension.time * power;
    unit->dimension.angle += by->dimension.angle * power;
    unit->dimension.cycle += by->dimension.cycle * power;
}

// the exponent after a unit: "^2", "^-1", a superscript two or three; 1 when there is none
static int take_unit_power(Reader *r) {
    if (strncmp(r->at, "\xc2\xb2", 2) == 0 || strncmp(r->at, "\xc2\xb3", 2) == 0) {
        int power = (unsigned char)r->at[1] == 0xb2 ? 2 : 3;
        r->at += 2;
        return power;
    }
    const char *at = r->at;
    if (*at != '^')
        return 1;
    at++;
    int sign = *at == '-' ? -1 : 1;
    at += *at == '-' || *at == '+';
    if (!is_digit(*at) || is_digit(at[1])) {
        fail(r, "the power of a unit is one digit");
        return 1;
    }
    r->at = at + 1;
    return sign * (*at - '0');
}

// Reads one unit name at `at` if there is one (a function call is none).
static bool take_unit_name(Reader *r, const char *at, LitheUnitOfMeasure *unit, int sign) {
    char word[WORD_SIZE];
    LitheUnitOfMeasure one;
    while (*at == ' ')
        at++;
    if (!starts_word(at))
        return false;
    const char *end = peek_word(at, word, sizeof word);
    // a superscript digit is not part of the name
    size_t length = strlen(word);
    if (length > 2 && (unsigned char)word[length - 2] == 0xc2 &&
        ((unsigned char)word[length - 1] == 0xb2 || (unsigned char)word[length - 1] == 0xb3)) {
        word[length - 2] = '\0';
        end -= 2;
    }
    if (*end == '(' || !lithe_unit_find(word, &one))
        return false;
    r->at = end;
    multiply_unit(unit, &one, sign * take_unit_power(r));
    return true;
}

// Reads the whole unit that follows a number.
static void take_unit(Reader *r, LitheUnitOfMeasure *unit) {
    *unit = (LitheUnitOfMeasure){.factor = 1};
    const char *at = r->at;
    while (*at == ' ')
        at++;
    // "1/s" is the unit s^-1
    if (at != r->at && at[0] == '1' && at[1] == '/') {
        if (!take_unit_name(r, at + 2, unit, -1))
            return;
    } else if (!take_unit_name(r, at, unit, 1)) {
        return;
    }
    while (!r->failed) {
        at = r->at;
        while (*at == ' ')
            at++;
        int sign = *at == '/' ? -1 : 1;
        if (!take_unit_name(r, *at == '/' || *at == '*' ? at + 1 : at, unit, sign))
            return;
    }
}

// --- numbers -------------------------------------------------------------------------------------

static LitheQuantity read_number(Reader *r) {
    // mantissa and exponent are separate, so that a power of ten of the unit is added to the
    // exponent
    char digits[400];
    size_t n = 0;
    const char *at = r->at;
    bool point = false, any = false;
    for (; is_digit(*at) || (*at == '.' && !point); at++) {
        point = point || *at == '.';
        any = any || is_digit(*at);
        if (n + 20 < sizeof digits)
            digits[n++] = *at;
        else
            return fail(r, "a number of more than 380 digits");
    }
    if (!any)
        return fail(r, "a number is expected at '%.20s'", r->at);
    long exponent = 0;
    if ((*at == 'e' || *at == 'E') &&
        (is_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && is_digit(at[2])))) {
        char *end;
        exponent = strtol(at + 1, &end, 10);
        at = end;
    }
    r->at = at;
    LitheUnitOfMeasure unit;
    take_unit(r, &unit);
    if (exponent > 100000 || exponent < -100000)
        exponent = exponent > 0 ? 100000 : -100000;
    snprintf(digits + n, sizeof digits - n, "e%ld", exponent + unit.power);
    double value = strtod(digits, NULL) * unit.factor;
    if (!isfinite(value))
        return fail(r, "the number is too large");
    return (LitheQuantity){value, unit.dimension};
}

// --- expressions ---------------------------------------------------------------------------------

static LitheQuantity read_sum(Reader *r);

static bool same_dimension(const LitheDimension *a, const LitheDimension *b) {
    return fabs(a->length - b->length) < 1e-9 && fabs(a->mass - b->mass) < 1e-9 &&
           fabs(a->time - b->time) < 1e-9 && fabs(a->angle - b->angle) < 1e-9 &&
           fabs(a->cycle - b->cycle) < 1e-9;
}

static bool is_plain(const LitheQuantity *q) {
    return lithe_dimension_is_none(&q->dimension);
}

bool lithe_dimension_is_none(const LitheDimension *dimension) {
    return same_dimension(dimension, &(LitheDimension){0});
}

static LitheDimension scaled(LitheDimension d, double by) {
    return (LitheDimension){d.length * by, d.mass * by, d.time * by, d.angle * by, d.cycle * by};
}

static LitheDimension joined(LitheDimension a, LitheDimension b, double sign) {
    return (LitheDimension){a.length + sign * b.length, a.mass + sign * b.mass,
                            a.time + sign * b.time, a.angle + sign * b.angle,
                            a.cycle + sign * b.cycle};
}

static LitheQuantity fail_unlike(Reader *r, const char *what, const LitheQuantity *a,
                                 const LitheQuantity *b) {
    char first[80], second[80];
    lithe_dimension_text(&a->dimension, first, sizeof first);
    lithe_dimension_text(&b->dimension, second, sizeof second);
    return fail(r, "%s needs equal dimensions, not %s and %s", what, first, second);
}

static const char *const functions[] = {"sqrt", "sin", "cos", "tan", "asin", "acos",
                                        "atan", "abs", "min", "max", "pi"};

bool lithe_is_function(const char *word) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(word, functions[i]) == 0)
            return true;
    return false;
}

static LitheQuantity call(Reader *r, const char *name, LitheQuantity x) {
    if (strcmp(name, "abs") == 0)
        return (LitheQuantity){fabs(x.value), x.dimension};
    if (strcmp(name, "sqrt") == 0) {
        if (x.value < 0)
            return fail(r, "sqrt of %.9g", x.value);
        return (LitheQuantity){sqrt(x.value), scaled(x.dimension, 0.5)};
    }
    if (*name == 'a') { // asin, acos, atan of a plain number are angles
        LitheDimension plain = {0};
        if (!same_dimension(&x.dimension, &plain))
            return fail_unlike(r, name, &x, &(LitheQuantity){0});
        if (name[1] != 't' && fabs(x.value) > 1)
            return fail(r, "%s of %.9g, must be -1 to 1", name, x.value);
        double of = name[1] == 's' ? asin(x.value) : name[1] == 'c' ? acos(x.value) : atan(x.value);
        return (LitheQuantity){of, {.angle = 1}};
    }
    LitheQuantity angle = {0, {.angle = x.dimension.angle}};
    if (!same_dimension(&x.dimension, &angle.dimension))
        return fail_unlike(r, name, &x, &(LitheQuantity){0, {.angle = 1}});
    double value = *name == 's' ? sin(x.value) : *name == 'c' ? cos(x.value) : tan(x.value);
    return (LitheQuantity){.value = value};
}

// after "NAME("
static LitheQuantity read_call(Reader *r, const char *name) {
    LitheQuantity x = read_sum(r);
    bool min = strcmp(name, "min") == 0;
    if (min || strcmp(name, "max") == 0) {
        while (!r->failed && take(r, ',')) {
            LitheQuantity y = read_sum(r);
            if (!r->failed && !same_dimension(&x.dimension, &y.dimension))
                return fail_unlike(r, name, &x, &y);
            if (min ? y.value < x.value : y.value > x.value)
                x = y;
        }
    } else if (!r->failed) {
        x = call(r, name, x);
    }
    if (!r->failed && !take(r, ')'))
        return fail(r, "a ')' is missing");
    return x;
}

// --- random numbers ------------------------------------------------------------------------------

// the last step of splitmix64
static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// from 0 to below 1, with 53 random bits
static double uniform_of(uint64_t bits) {
    return ldexp((double)(bits >> 11), -53);
}

// After "uniform(" or "normal(": whole numbers, of which the result is a function, as if drawn at
// random for each of them.
static LitheQuantity read_random(Reader *r, const char *name) {
    bool normal = *name == 'n';
    uint64_t bits = normal;
    do {
        LitheQuantity x = read_sum(r);
        if (r->failed)
            return x;
        if (!is_plain(&x) || fabs(x.value) > 1e15 || fabs(x.value - nearbyint(x.value)) > 1e-9)
            return fail(r, "%s needs whole numbers, such as a seed and counters", name);
        bits = mix(bits ^ (uint64_t)llrint(x.value));
    } while (take(r, ','));
    if (!take(r, ')'))
        return fail(r, "a ')' is missing");
    double first = uniform_of(bits);
    if (!normal)
        return (LitheQuantity){.value = first};
    // Box and Muller: mean 0, variance 1
    double angle = 2 * M_PI * uniform_of(mix(bits));
    return (LitheQuantity){.value = sqrt(-2 * log(1 - first)) * cos(angle)};
}

// Stores ", did you mean 'm^3'?" for a word that is nearly a unit: a power without its sign, other
// letters, a word that is written out. False, and nothing, where none is near.
static bool find_meant(const char *word, char out[64]) {
    char stem[WORD_SIZE], near[16];
    LitheUnitOfMeasure unit;
    size_t length = strlen(word);
    out[0] = '\0';
    bool power = length > 1 && length <= 20 && word[length - 1] >= '2' && word[length - 1] <= '9';
    snprintf(stem, sizeof stem, "%.*s", (int)(power ? length - 1 : length), word);
    if (power && lithe_unit_find(stem, &unit))
        snprintf(out, 64, ", did you mean '%.20s^%c'?", stem, word[length - 1]);
    else if (lithe_unit_suggest(stem, near))
        snprintf(out, 64, ", did you mean '%s%s%.1s'?", near, power ? "^" : "",
                 power ? word + length - 1 : "");
    return out[0] != '\0';
}

static LitheQuantity read_word(Reader *r, bool units) {
    char word[WORD_SIZE];
    const char *end = peek_word(r->at, word, sizeof word);
    if (*end == '(' && lithe_is_function(word) && strcmp(word, "pi") != 0) {
        r->at = end + 1;
        return read_call(r, word);
    }
    // no reserved words: a parameter may have these names
    if (*end == '(' && (strcmp(word, "uniform") == 0 || strcmp(word, "normal") == 0)) {
        r->at = end + 1;
        return read_random(r, word);
    }
    if (strcmp(word, "pi") == 0) {
        r->at = end;
        LitheUnitOfMeasure unit; // as behind a number: pi rad/s
        take_unit(r, &unit);
        return (LitheQuantity){M_PI * unit.factor * pow(10, unit.power), unit.dimension};
    }
    LitheQuantity value = {0};
    int found = r->lookup ? r->lookup(r->user, word, &value) : 0;
    if (found < 0)
        return fail(r, "%s", "");
    if (found) {
        r->at = end;
        return value;
    }
    // a unit without a number: r/mm, 1/s
    LitheUnitOfMeasure unit = {.factor = 1};
    if (units && take_unit_name(r, r->at, &unit, 1))
        return (LitheQuantity){unit.factor * pow(10, unit.power), unit.dimension};
    char meant[64];
    if (units && find_meant(word, meant))
        return fail(r, "'%.40s' is no unit%s", word, meant);
    return fail(r, "'%.40s' is no number and no parameter", word);
}

static LitheQuantity read_primary(Reader *r, bool units) {
    skip_space(r);
    if (take(r, '(')) {
        LitheQuantity x = read_sum(r);
        if (!r->failed && !take(r, ')'))
            return fail(r, "a ')' is missing");
        return x;
    }
    if (is_digit(*r->at) || *r->at == '.')
        return read_number(r);
    if (starts_word(r->at))
        return read_word(r, units);
    return *r->at ? fail(r, "a number is expected at '%.20s'", r->at)
                  : fail(r, "a number is expected");
}

static LitheQuantity read_factor(Reader *r, bool units) {
    if (++r->depth > MAX_DEPTH)
        return fail(r, "brackets nested too deeply");
    LitheQuantity x;
    if (take(r, '-')) {
        x = read_factor(r, false);
        x.value = -x.value;
    } else if (take(r, '+')) {
        x = read_factor(r, false);
    } else {
        x = read_primary(r, units);
        if (!r->failed && take(r, '^')) {
            LitheQuantity power = read_factor(r, false);
            if (!r->failed && !is_plain(&power))
                return fail(r, "a power must be a plain number");
            x.value = pow(x.value, power.value);
            x.dimension = scaled(x.dimension, power.value);
        }
    }
    r->depth--;
    return x;
}

static LitheQuantity read_term(Reader *r) {
    LitheQuantity x = read_factor(r, false);
    while (!r->failed) {
        bool times = take(r, '*');
        if (!times && !take(r, '/'))
            break;
        LitheQuantity y = read_factor(r, true);
        if (!times && !r->failed && y.value == 0)
            return fail(r, "division by zero");
        x.value = times ? x.value * y.value : x.value / y.value;
        x.dimension = joined(x.dimension, y.dimension, times ? 1 : -1);
    }
    return x;
}

static LitheQuantity read_sum(Reader *r) {
    LitheQuantity x = read_term(r);
    while (!r->failed) {
        bool plus = take(r, '+');
        if (!plus && !take(r, '-'))
            break;
        LitheQuantity y = read_term(r);
        if (r->failed)
            break;
        if (!same_dimension(&x.dimension, &y.dimension))
            return fail_unlike(r, plus ? "+" : "-", &x, &y);
        x.value = plus ? x.value + y.value : x.value - y.value;
    }
    return x;
}

bool lithe_quantity_parse(const char *text, LitheLookupFn *lookup, void *user,
                          LitheQuantity *quantity, char *why, size_t why_size) {
    Reader r = {.at = text, .lookup = lookup, .user = user, .why = why, .why_size = why_size};
    why[0] = '\0';
    LitheQuantity x = read_sum(&r);
    skip_space(&r);
    if (!r.failed && *r.at) {
        char word[WORD_SIZE], meant[64];
        if (starts_word(r.at) && peek_word(r.at, word, sizeof word)) {
            find_meant(word, meant);
            fail(&r, "'%.40s' is no unit%s", word, meant);
        } else
            fail(&r, "unexpected '%.20s'", r.at);
    }
    if (!r.failed && !isfinite(x.value))
        fail(&r, "the result is not finite");
    if (!r.failed)
        *quantity = x;
    return !r.failed;
}
