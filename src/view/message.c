// SPDX-License-Identifier: Apache-2.0
// view/message.c - one flat JSON object: members are texts, numbers, booleans or lists of three
// numbers

#include "view/message.h"

#include "base/status.h"
#include "base/suggest.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAX_MEMBERS = 8, WORD_CAPACITY = LITHE_VIEW_KEY_CAPACITY };
// members whose text may be long: names of things
static const char *const long_texts[] = {"thing"};

typedef enum Kind { TEXT, NUMBER, TRUTH, LIST } Kind;

typedef struct Member {
    char name[WORD_CAPACITY];
    Kind kind;
    char text[LITHE_VIEW_NAME_CAPACITY];
    double numbers[3];
    int count; // of the list; numbers has the first three
    bool truth;
} Member;

// --- the grammar ---------------------------------------------------------------------------------

typedef struct Scan {
    const char *at, *end;
} Scan;

static void skip(Scan *scan) {
    while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) && *scan->at)
        scan->at++;
}

// reads one character and the space around it
static bool take(Scan *scan, char mark) {
    skip(scan);
    if (scan->at >= scan->end || *scan->at != mark)
        return false;
    scan->at++;
    skip(scan);
    return true;
}

static bool take_word(Scan *scan, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

// Reads a short text. Only escapes of single characters are supported: names need no others.
static bool take_text(Scan *scan, size_t capacity, char *out) {
    if (!take_word(scan, "\""))
        return false;
    size_t length = 0;
    while (scan->at < scan->end && *scan->at != '"') {
        if (*scan->at == '\\') {
            scan->at++;
            if (scan->at >= scan->end || !strchr("\"\\/", *scan->at) || !*scan->at)
                return false;
        }
        if (length + 1 >= capacity || (unsigned char)*scan->at < 0x20)
            return false;
        out[length++] = *scan->at++;
    }
    out[length] = '\0';
    return take_word(scan, "\"");
}

static int take_digits(Scan *scan, double *value, int *places) {
    int count = 0;
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++, count++) {
        // digits beyond the precision of a double only shift the decimal point
        if (*value < 1e17) {
            *value = 10 * *value + (*scan->at - '0');
            (*places)--;
        }
    }
    return count;
}

// strtod would depend on the locale; the last digit may be wrong
static bool take_number(Scan *scan, double *out) {
    bool minus = take_word(scan, "-");
    double value = 0;
    int places = 0;
    int whole = take_digits(scan, &value, &places), used = -places;
    if (whole == 0)
        return false;
    int exponent = whole - used;
    if (take_word(scan, ".")) {
        places = 0;
        if (take_digits(scan, &value, &places) == 0)
            return false;
        exponent += places;
    }
    if (take_word(scan, "e") || take_word(scan, "E")) {
        bool down = take_word(scan, "-");
        if (!down)
            take_word(scan, "+");
        double power = 0;
        int ignored = 0;
        if (take_digits(scan, &power, &ignored) == 0)
            return false;
        power = power > 400 ? 400 : power;
        exponent += down ? -(int)power : (int)power;
    }
    value *= pow(10, exponent);
    *out = minus ? -value : value;
    return isfinite(*out);
}

static bool take_list(Scan *scan, Member *member) {
    double beyond;
    if (!take(scan, '['))
        return false;
    if (take(scan, ']'))
        return true;
    do {
        if (!take_number(scan, member->count < 3 ? &member->numbers[member->count] : &beyond))
            return false;
        member->count++;
    } while (take(scan, ','));
    return take(scan, ']');
}

static size_t text_capacity(const char *name) {
    for (size_t i = 0; i < sizeof long_texts / sizeof *long_texts; i++)
        if (strcmp(name, long_texts[i]) == 0)
            return LITHE_VIEW_NAME_CAPACITY;
    return WORD_CAPACITY;
}

static bool take_value(Scan *scan, Member *member) {
    if (scan->at >= scan->end)
        return false;
    switch (*scan->at) {
    case '"':
        member->kind = TEXT;
        return take_text(scan, text_capacity(member->name), member->text);
    case '[':
        member->kind = LIST;
        return take_list(scan, member);
    case 't':
    case 'f':
        member->kind = TRUTH;
        member->truth = *scan->at == 't';
        return take_word(scan, member->truth ? "true" : "false");
    default:
        member->kind = NUMBER;
        return take_number(scan, &member->numbers[0]);
    }
}

static bool take_object(Scan *scan, Member *members, int *count) {
    if (!take(scan, '{'))
        return false;
    while (*count < MAX_MEMBERS) {
        Member *member = &members[*count];
        if (!take_text(scan, WORD_CAPACITY, member->name) || !take(scan, ':') ||
            !take_value(scan, member))
            return false;
        (*count)++;
        if (take(scan, '}'))
            return scan->at == scan->end;
        if (!take(scan, ','))
            return false;
    }
    return false;
}

// --- requests and their fields -------------------------------------------------------------------

typedef enum Slot { INTEGER, BIG, REAL, NAME, THING, FLAG, PLACE } Slot;

typedef struct Field {
    const char *name;
    Slot slot;
    size_t offset;
    double low, high;
    bool optional;
} Field;

#define AT(member) offsetof(LitheViewMessage, member)
// larger coordinates are a mistake; squares stay finite in a float
#define FAR 1e9

static const struct {
    const char *name;
    LitheViewRequest request;
    Field fields[4];
} requests[] = {
    {"play", LITHE_REQUEST_PLAY, {{0}}},
    {"pause", LITHE_REQUEST_PAUSE, {{0}}},
    {"step", LITHE_REQUEST_STEP, {{"count", INTEGER, AT(count), 1, 1000000, true}}},
    {"speed", LITHE_REQUEST_SPEED, {{"value", REAL, AT(value), 0, 1000, false}}},
    {"reset", LITHE_REQUEST_RESET, {{0}}},
    {"rate", LITHE_REQUEST_RATE, {{"value", REAL, AT(value), 1, 120, false}}},
    {"grab",
     LITHE_REQUEST_GRAB,
     {{"rod", INTEGER, AT(rod), 0, INT32_MAX, true},
      {"node", INTEGER, AT(node), 0, INT32_MAX, true},
      {"to", PLACE, AT(to), -FAR, FAR, false}}},
    {"grab",
     LITHE_REQUEST_GRAB,
     {{"body", INTEGER, AT(body), 0, INT32_MAX, false},
      {"at", PLACE, AT(at), -FAR, FAR, false},
      {"to", PLACE, AT(to), -FAR, FAR, false}}},
    {"grab",
     LITHE_REQUEST_GRAB,
     {{"thing", THING, AT(thing), 0, 0, false},
      {"part", INTEGER, AT(part), 0, INT32_MAX, true},
      {"at", PLACE, AT(at), -FAR, FAR, true},
      {"to", PLACE, AT(to), -FAR, FAR, false}}},
    {"move", LITHE_REQUEST_MOVE, {{"to", PLACE, AT(to), -FAR, FAR, false}}},
    {"release", LITHE_REQUEST_RELEASE, {{0}}},
    {"key",
     LITHE_REQUEST_KEY,
     {{"key", NAME, AT(key), 0, 0, false}, {"down", FLAG, AT(down), 0, 0, false}}},
    {"axis",
     LITHE_REQUEST_AXIS,
     {{"axis", INTEGER, AT(axis), 0, 63, false}, {"value", REAL, AT(value), -1, 1, false}}},
    {"frames",
     LITHE_REQUEST_FRAMES,
     {{"from", BIG, AT(from), 0, 9e15, false},
      {"to", BIG, AT(last), 0, 9e15, false},
      {"every", BIG, AT(every), 1, 9e15, true}}},
    {"slider",
     LITHE_REQUEST_SLIDER,
     {{"number", INTEGER, AT(count), 0, INT32_MAX, false},
      {"value", REAL, AT(value), -1e30, 1e30, false}}},
    {"record", LITHE_REQUEST_RECORD, {{"on", FLAG, AT(down), 0, 0, false}}},
};
enum { REQUESTS = sizeof requests / sizeof *requests };

static const Member *find(const Member *members, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
    return NULL;
}

static LitheStatus fail_member(const char *request, const Member *member, const char *wanted,
                               LitheError *error) {
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s must be %s", request, member->name, wanted);
}

static LitheStatus store(const char *request, const Field *field, const Member *member,
                         LitheViewMessage *message, LitheError *error) {
    void *to = (char *)message + field->offset;
    static const Kind kinds[] = {[INTEGER] = NUMBER, [BIG] = NUMBER, [REAL] = NUMBER, [NAME] = TEXT,
                                 [THING] = TEXT,     [FLAG] = TRUTH, [PLACE] = LIST};
    static const char *const wanted[] = {[TEXT] = "a text",
                                         [NUMBER] = "a number",
                                         [TRUTH] = "true or false",
                                         [LIST] = "three numbers"};
    if (member->kind != kinds[field->slot])
        return fail_member(request, member, wanted[kinds[field->slot]], error);
    if (member->kind == LIST && member->count != 3)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s has %d numbers, must have three", request,
                          member->name, member->count);
    for (int k = 0; k < (member->kind == LIST ? 3 : member->kind == NUMBER); k++)
        if (!(member->numbers[k] >= field->low && member->numbers[k] <= field->high))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s is %g, must be from %g to %g",
                              request, member->name, member->numbers[k], field->low, field->high);
    bool integer = field->slot == INTEGER || field->slot == BIG;
    if (integer && member->numbers[0] != floor(member->numbers[0]))
        return fail_member(request, member, "a whole number", error);
    switch (field->slot) {
    case INTEGER:
        *(int32_t *)to = (int32_t)member->numbers[0];
        break;
    case BIG:
        *(int64_t *)to = (int64_t)member->numbers[0];
        break;
    case REAL:
        *(double *)to = member->numbers[0];
        break;
    case NAME:
        memcpy(to, member->text, WORD_CAPACITY);
        break;
    case THING:
        memcpy(to, member->text, LITHE_VIEW_NAME_CAPACITY);
        break;
    case FLAG:
        *(bool *)to = member->truth;
        break;
    case PLACE:
        memcpy(to, member->numbers, sizeof member->numbers);
        break;
    }
    return LITHE_OK;
}

// All members must be fields of the request; required fields must exist; none may occur twice.
static LitheStatus fill(int w, const Member *members, int count, LitheViewMessage *message,
                        LitheError *error) {
    const char *request = requests[w].name;
    int taken = 1; // `do`
    for (int f = 0; f < 4 && requests[w].fields[f].name; f++) {
        const Field *field = &requests[w].fields[f];
        const Member *member = find(members, count, field->name);
        if (!member && !field->optional)
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: needs '%s'", request, field->name);
        LitheStatus status = member ? store(request, field, member, message, error) : LITHE_OK;
        if (status != LITHE_OK)
            return status;
        taken += member != NULL;
    }
    if (taken != count)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: unknown or repeated members", request);
    return LITHE_OK;
}

static LitheStatus check(const LitheViewMessage *message, LitheError *error) {
    bool grab = message->request == LITHE_REQUEST_GRAB && !message->thing[0] && message->body < 0;
    if (grab && (message->rod < 0 || message->node < 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "grab: needs 'thing', or 'rod' and 'node', or 'body'");
    if (message->request == LITHE_REQUEST_FRAMES && message->last < message->from)
        return lithe_fail(error, LITHE_BAD_INPUT, "frames: 'to' is before 'from'");
    if (message->request == LITHE_REQUEST_SPEED && message->value > 0 && message->value < 0.001)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "speed: value is %g, must be 0 or from 0.001 to 1000", message->value);
    return LITHE_OK;
}

LitheStatus lithe_view_message_parse(const char *text, size_t length, LitheViewMessage *message,
                                     bool *broken, LitheError *error) {
    *broken = true;
    if (length > LITHE_VIEW_MESSAGE_BYTES)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "the message has %zu bytes, at most %d are allowed", length,
                          LITHE_VIEW_MESSAGE_BYTES);
    Member members[MAX_MEMBERS] = {0};
    int count = 0;
    Scan scan = {text, text + length};
    if (!take_object(&scan, members, &count))
        return lithe_fail(error, LITHE_BAD_INPUT, "the message is not a flat JSON object");
    *broken = false;
    const Member *what = find(members, count, "do");
    if (!what || what->kind != TEXT)
        return lithe_fail(error, LITHE_BAD_INPUT, "the message has no text member 'do'");
    const char *names[REQUESTS];
    int w = -1;
    for (int i = 0; i < REQUESTS; i++) {
        names[i] = requests[i].name;
        if (w < 0 && strcmp(what->text, names[i]) == 0)
            w = i;
    }
    if (w < 0) {
        const char *meant = lithe_suggest(what->text, names, REQUESTS);
        return lithe_fail(error, LITHE_BAD_INPUT, "unknown message '%s'%s%s%s", what->text,
                          meant ? ": did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
    }
    // the second form of grab is for bodies, the third for any object
    if (requests[w].request == LITHE_REQUEST_GRAB)
        w += find(members, count, "thing") ? 2 : find(members, count, "body") ? 1 : 0;
    LitheViewMessage made = {.request = requests[w].request,
                             .count = 1,
                             .part = -1,
                             .rod = -1,
                             .node = -1,
                             .body = -1,
                             .every = 1};
    LitheStatus status = fill(w, members, count, &made, error);
    if (status == LITHE_OK)
        status = check(&made, error);
    if (status == LITHE_OK)
        *message = made;
    return status;
}
