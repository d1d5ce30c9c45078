// SPDX-License-Identifier: Apache-2.0
// record/series.c - parses a name into column, place, component and reduction; then reads the
// values

#include "record/series.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "record/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// rows are read in blocks of about this size
#define BLOCK_BYTES ((int64_t)4 << 20)

// EACH: several numbers that are not values along a thing, such as a pose
typedef enum Place { ALONG, AT_INDEX, EACH } Place;
typedef enum Reduction { NO_REDUCTION, MAX, MIN, MEAN } Reduction;
enum { LENGTH_OF_VECTOR = -1, WORD_CAPACITY = 160 };

static const char *const reductions[] = {"", ".max", ".min", ".mean"};
static const char *const components[2][3] = {{".x", ".y", ".z"}, {".m1", ".m2", ""}};

// parts of a pose
static const struct {
    const char *name;
    int32_t first, count;
    const char *unit;
    const char *words;  // one letter each
    const char *follow; // the same as a list
} poses[] = {{"position", 0, 3, "m", "xyz", ".x .y .z"},
             {"orientation", 3, 4, "1", "wxyz", ".w .x .y .z"}};
enum { POSES = 2, PICKS = 7, SUGGESTIONS = 3 };

typedef struct Query {
    const LitheColumn *column;
    char base[WORD_CAPACITY]; // the name without selectors: "rope.end.position"
    Place place;
    int64_t index; // of a node or edge
    int32_t component;
    bool component_given;
    Reduction reduction;
    int32_t pose;   // part of a pose; -1: not a pose
    bool of_vector; // the column is one vector per frame: no place along a thing
} Query;

// --- names ---------------------------------------------------------------------------------------

void lithe_series_name(const char *path, char *name, size_t capacity) {
    const LitheOwner *owner = lithe_owner_of_path(path);
    size_t folder = owner->folder ? strlen(owner->folder) : 0;
    bool strip = folder > 0 && !owner->full_names;
    snprintf(name, capacity, "%s", strip ? path + folder + 1 : path);
    // names of parts of robots keep their slashes
    char *last = strrchr(name, '/');
    if (last)
        *last = '.';
    if (owner->full_names && folder < capacity && name[folder] == '/')
        name[folder] = '.';
}

// one vector per frame: the force of all contacts on a thing, or of a constraint
static bool is_vector(const LitheColumn *column) {
    return column->rank == 1 && strcmp(column->axes, "time xyz") == 0;
}

// the column with the first contact row of each frame is not listed: only programs need it
static bool is_hidden(const LitheColumn *column) {
    return column->offset < 0 || strcmp(column->path, "time") == 0 ||
           strcmp(column->path, "contacts/first") == 0;
}

static bool is_pose(const LitheColumn *column) {
    return lithe_owner_of_path(column->path) == &lithe_body_owner && column->rank == 1 &&
           column->dims[0] == 7;
}

LitheStatus lithe_recording_quantities(const LitheRecording *recording, char ***names,
                                       int32_t *count, LitheError *error) {
    LitheContext *context = recording->context;
    // a pose has two names
    char **list =
        lithe_alloc_array(context, POSES * (int64_t)recording->layout.column_count, sizeof *list);
    int32_t n = 0;
    bool fine = list != NULL;
    for (int32_t i = 0; fine && i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        char name[2 * WORD_CAPACITY];
        if (is_hidden(column))
            continue;
        lithe_series_name(column->path, name, sizeof name);
        int parts = is_pose(column) ? POSES : 1;
        for (int k = 0; fine && k < parts; k++) {
            if (parts > 1)
                snprintf(strrchr(name, '.') + 1, 16, "%s", poses[k].name);
            fine = (list[n++] = lithe_alloc_text(context, name)) != NULL;
        }
    }
    if (!fine) {
        for (int32_t i = 0; list && i < n; i++)
            lithe_free(context, list[i]);
        lithe_free(context, list);
        return lithe_fail_memory(error, "a list of quantities");
    }
    *names = list;
    *count = n;
    return LITHE_OK;
}

static bool is_place_of(const char *word, size_t length) {
    static const char *const places[] = {"start", "middle", "end"};
    for (int i = 0; i < 3; i++)
        if (strlen(places[i]) == length && strncmp(word, places[i], length) == 0)
            return true;
    return false;
}

static bool is_place(const char *word) {
    return is_place_of(word, strlen(word));
}

// Whether "NAME.QUANTITY.." names a quantity that this recording could have on request; stores it
// without what follows.
static bool is_on_request(const LitheRecording *recording, const char *name,
                          char out[2 * WORD_CAPACITY]) {
    for (int32_t i = 0; i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        const LitheOwner *owner = lithe_owner_of_path(column->path);
        if (is_hidden(column) || !owner || !owner->folder)
            continue;
        lithe_series_name(column->path, out, 2 * WORD_CAPACITY);
        const char *last = strrchr(out, '.');
        size_t length = last ? (size_t)(last + 1 - out) : 0;
        if (length == 0 || strncmp(name, out, length) != 0)
            continue;
        // a place may follow the name: rope.end.velocity
        size_t place = strcspn(name + length, ".[");
        bool placed = name[length + place] == '.' && is_place_of(name + length, place);
        const char *what = name + length + (placed ? place + 1 : 0);
        size_t word = strcspn(what, ".[");
        for (const LitheQuantity *q = owner->quantities; q->name; q++)
            if (!q->always && strlen(q->name) == word && !strncmp(what, q->name, word)) {
                snprintf(out + length, 2 * WORD_CAPACITY - length, "%s", q->name);
                return true;
            }
    }
    return false;
}

static LitheStatus fail_unknown(const LitheRecording *recording, const char *name,
                                LitheError *error) {
    char **names = NULL, missing[2 * WORD_CAPACITY];
    int32_t count = 0;
    if (is_on_request(recording, name, missing))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: '%.80s' was not recorded; 'record: {also: [%s]}' in the scene "
                          "records it in the next run",
                          recording->path, name, missing);
    LitheStatus status = lithe_recording_quantities(recording, &names, &count, error);
    if (status != LITHE_OK)
        return status;
    const char *meant[SUGGESTIONS];
    char list[3 * WORD_CAPACITY] = "";
    int32_t n = lithe_suggest_several(name, (const char *const *)names, count, meant, SUGGESTIONS);
    for (int32_t i = 0; i < n; i++) {
        size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s'%.140s'",
                 i == 0      ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 meant[i]);
    }
    status = lithe_fail(error, LITHE_BAD_INPUT,
                        "%s: no quantity '%.80s'%s%s%s all %d are listed by `lithe plot --list`, "
                        "in Python by the `names` of the recording",
                        recording->path, name, n > 0 ? ": did you mean " : ";", list,
                        n > 0 ? "?" : "", (int)count);
    for (int32_t i = 0; i < count; i++)
        lithe_free(recording->context, names[i]);
    lithe_free(recording->context, names);
    return status;
}

// --- parsing -------------------------------------------------------------------------------------

// `folder` "": the words are a full path
static const LitheColumn *find_in(const LitheRecording *recording, const char *folder,
                                  const char *owner, const char *what) {
    char path[2 * WORD_CAPACITY + 64];
    snprintf(path, sizeof path, "%s%s%s/%s", folder, *folder ? "/" : "", owner, what);
    const LitheColumn *column = lithe_layout_find(&recording->layout, path);
    return column && !is_hidden(column) ? column : NULL;
}

static const LitheColumn *find_column(const LitheRecording *recording, const char *owner,
                                      const char *what) {
    const LitheColumn *column = NULL;
    for (const LitheOwner *const *of = lithe_owners; !column && *of; of++)
        if ((*of)->folder)
            column = find_in(recording, (*of)->folder, owner, what);
    return column ? column : find_in(recording, "", owner, what);
}

// The next word up to a dot or bracket; false when there is none or it is too long.
static bool take_word(const char **at, char word[WORD_CAPACITY]) {
    size_t length = strcspn(*at, ".[");
    if (length == 0 || length >= WORD_CAPACITY)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

static LitheStatus set_index(Query *query, const LitheRecording *recording, const char *name,
                             long long index, LitheError *error) {
    int64_t count = query->column->rank > 0 ? query->column->dims[0] : 0;
    if (count == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: '%.80s': %s is one value, it has no places",
                          recording->path, name, query->base);
    if (index < -count || index >= count)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: '%.80s': index is %lld, must be %lld to %lld", recording->path, name,
                          index, (long long)-count, (long long)count - 1);
    query->place = AT_INDEX;
    query->index = index < 0 ? index + count : index;
    return LITHE_OK;
}

static LitheStatus set_place(Query *query, const LitheRecording *recording, const char *name,
                             const char *place, LitheError *error) {
    int64_t count = query->column->rank > 0 ? query->column->dims[0] : 0;
    long long index = strcmp(place, "start") == 0 ? 0 : strcmp(place, "end") == 0 ? -1 : count / 2;
    return set_index(query, recording, name, index, error);
}

static bool set_selector(Query *query, const char *word) {
    if (query->pose >= 0 && strlen(word) == 1 && query->place == EACH) {
        const char *at = strchr(poses[query->pose].words, word[0]);
        if (!at)
            return false;
        query->place = AT_INDEX;
        query->index = poses[query->pose].first + (at - poses[query->pose].words);
        size_t length = strlen(query->base);
        snprintf(query->base + length, sizeof query->base - length, ".%s", word);
        return true;
    }
    for (int r = MAX; r <= MEAN; r++)
        if (strcmp(word, reductions[r] + 1) == 0 && query->place == ALONG &&
            query->column->rank > 0) {
            query->reduction = (Reduction)r;
            return true;
        }
    if (query->column->rank != 2 && !query->of_vector)
        return false;
    int64_t width = query->of_vector ? 3 : query->column->dims[1];
    int kind = width == 2;
    for (int i = 0; i < width && i < 3; i++)
        if (strcmp(word, components[kind][i] + 1) == 0) {
            query->component = i;
            query->component_given = true;
            return true;
        }
    return false;
}

// What can follow the part of the name that was read, as a list.
static const char *what_follows(const Query *query) {
    const LitheColumn *column = query->column;
    bool vector = (column->rank == 2 || query->of_vector) && !query->component_given;
    bool along = query->place == ALONG && column->rank > 0 && query->reduction == NO_REDUCTION;
    int kind = column->rank == 2 && column->dims[1] == 2;
    static const char *const lists[2][3] = {
        {"nothing", ".x .y .z", ".m1 .m2"},
        {"[i] behind the quantity, .max .min .mean along it",
         "[i] behind the quantity, .x .y .z, .max .min .mean along it",
         "[i] behind the quantity, .m1 .m2, .max .min .mean along it"},
    };
    if (query->pose >= 0)
        return query->place == EACH ? poses[query->pose].follow : "nothing";
    return lists[along][vector ? 1 + kind : 0];
}

// What follows the quantity: "[i]", then ".x", ".max" in any order.
static LitheStatus parse_tail(Query *query, const LitheRecording *recording, const char *name,
                              const char *at, LitheError *error) {
    if (*at == '[' && query->pose < 0 && !query->of_vector) {
        char *end = NULL;
        long long index = strtoll(at + 1, &end, 10);
        if (end == at + 1 || *end != ']')
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: '%.80s': a whole number is expected in brackets",
                              recording->path, name);
        LitheStatus status = set_index(query, recording, name, index, error);
        if (status != LITHE_OK)
            return status;
        size_t length = strlen(query->base);
        snprintf(query->base + length, sizeof query->base - length, "[%lld]", index);
        at = end + 1;
    }
    while (*at != '\0') {
        char word[WORD_CAPACITY] = "";
        bool known = *at++ == '.' && take_word(&at, word) && set_selector(query, word);
        const char *last = strrchr(query->base, '.');
        bool along = query->column->rank > 0 && query->pose < 0 && !is_vector(query->column);
        if (!known && last && along && is_place(word))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: '%.80s': places follow the thing: '%.*s.%s%s'", recording->path,
                              name, (int)(last - query->base), query->base, word, last);
        if (!known)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: '%.80s': '%.40s' cannot follow '%s'; what can: %s",
                              recording->path, name, word, query->base, what_follows(query));
    }
    return LITHE_OK;
}

// The owner whose names of series begin with this folder; NULL: there is none.
static const LitheOwner *owner_of_full_name(const char *folder) {
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++)
        if ((*owner)->full_names && strcmp((*owner)->folder, folder) == 0)
            return *owner;
    return NULL;
}

// "NAME[i].QUANTITY", as places are named in scenes, is written as "NAME.QUANTITY[i]"
static bool move_index(const char *name, char moved[2 * WORD_CAPACITY]) {
    size_t owner = strcspn(name, ".[");
    const char *close = name[owner] == '[' ? strchr(name + owner, ']') : NULL;
    if (!close || close[1] != '.')
        return false;
    const char *what = close + 2;
    size_t word = strcspn(what, ".[");
    int wrote =
        snprintf(moved, 2 * WORD_CAPACITY, "%.*s.%.*s%.*s%s", (int)owner, name, (int)word, what,
                 (int)(close + 1 - name - (ptrdiff_t)owner), name + owner, what + word);
    return wrote > 0 && wrote < 2 * WORD_CAPACITY;
}

static LitheStatus parse(const LitheRecording *recording, const char *name, Query *query,
                         LitheError *error) {
    char owner[WORD_CAPACITY], what[WORD_CAPACITY], place[WORD_CAPACITY] = "";
    char moved[2 * WORD_CAPACITY];
    if (move_index(name, moved))
        name = moved;
    const char *at = name;
    *query = (Query){.component = LENGTH_OF_VECTOR, .pose = -1};
    if (!take_word(&at, owner) || *at++ != '.' || !take_word(&at, what))
        return fail_unknown(recording, name, error);
    // constraints.NAME.QUANTITY, unless something else has this name
    const LitheOwner *full = owner_of_full_name(owner);
    if (full && *at == '.' && !find_column(recording, owner, what)) {
        char both[WORD_CAPACITY];
        int length = snprintf(both, sizeof both, "%s/%s", full->folder, what);
        at++;
        if (length < 0 || (size_t)length >= sizeof both || !take_word(&at, what))
            return fail_unknown(recording, name, error);
        memcpy(owner, both, sizeof owner);
    }
    if (is_place(what) && *at == '.') {
        memcpy(place, what, sizeof place);
        at++;
        if (!take_word(&at, what))
            return fail_unknown(recording, name, error);
    }
    query->column = find_column(recording, owner, what);
    for (int k = 0; !query->column && !place[0] && k < POSES; k++)
        if (strcmp(what, poses[k].name) == 0) {
            query->column = find_column(recording, owner, "pose");
            query->pose = k;
        }
    if (!query->column || (is_pose(query->column) && query->pose < 0))
        return fail_unknown(recording, name, error);
    int wrote = snprintf(query->base, sizeof query->base, "%s.%s%s%s", owner, place,
                         place[0] ? "." : "", what);
    if (wrote < 0 || (size_t)wrote >= sizeof query->base)
        return fail_unknown(recording, name, error);
    const LitheOwner *whose = lithe_owner_of_path(query->base);
    if (whose->full_names)
        query->base[strlen(whose->folder)] = '.';
    query->of_vector = is_vector(query->column);
    if (query->of_vector)
        query->place = AT_INDEX;
    bool of_joint = lithe_owner_of_path(query->column->path) == &lithe_joint_owner;
    if (query->pose >= 0 || (of_joint && query->column->rank == 1 && !query->of_vector))
        query->place = EACH;
    if (place[0] && query->of_vector)
        return fail_unknown(recording, name, error);
    if (place[0]) {
        LitheStatus status = set_place(query, recording, name, place, error);
        if (status != LITHE_OK)
            return status;
    }
    return parse_tail(query, recording, name, at, error);
}

// --- reading -------------------------------------------------------------------------------------

// One series: a component (or the vector's length), at a place or reduced along the rod.
typedef struct Pick {
    int32_t component; // of a vector; EACH: which number
    Reduction reduction;
} Pick;

static double element(const LitheColumn *column, const double *row, int64_t index,
                      int32_t component) {
    int64_t width = column->rank == 2 ? column->dims[1] : is_vector(column) ? 3 : 1;
    const double *at = row + index * width;
    if (width == 1)
        return at[0];
    if (component >= 0)
        return at[component];
    double sum = 0;
    for (int64_t i = 0; i < width; i++)
        sum += at[i] * at[i];
    return sqrt(sum);
}

static double value_of(const Query *query, const Pick *pick, const double *row) {
    const LitheColumn *column = query->column;
    if (column->rank == 0)
        return row[0];
    if (query->place == AT_INDEX)
        return element(column, row, query->index, pick->component);
    if (query->place == EACH)
        return row[pick->component];
    double result = element(column, row, 0, pick->component);
    for (int64_t i = 1; i < column->dims[0]; i++) {
        double value = element(column, row, i, pick->component);
        if (pick->reduction == MEAN)
            result += value;
        else if (pick->reduction == MAX ? value > result : value < result)
            result = value;
    }
    return pick->reduction == MEAN ? result / (double)column->dims[0] : result;
}

static int32_t make_picks(const Query *query, Pick picks[PICKS]) {
    const LitheColumn *column = query->column;
    if (query->place == EACH) {
        bool pose = query->pose >= 0;
        int32_t first = pose ? poses[query->pose].first : 0;
        int64_t max = pose ? poses[query->pose].count : column->dims[0];
        int32_t wanted = max < PICKS ? (int32_t)max : PICKS;
        for (int32_t k = 0; k < wanted; k++)
            picks[k] = (Pick){first + k, NO_REDUCTION};
        return wanted;
    }
    bool spatial = ((column->rank == 2 && column->dims[1] == 3) || query->of_vector) &&
                   (strstr(column->path, "/position") || strstr(column->path, "/director") ||
                    strstr(column->path, "/point"));
    int32_t first = query->component, last = query->component, count = 0;
    bool spread = spatial && !query->component_given;
    if (spread) {
        first = 0;
        last = 2;
    }
    for (int32_t c = first; c <= last; c++) {
        if (column->rank == 0 || query->place == AT_INDEX) {
            picks[count++] = (Pick){c, NO_REDUCTION};
        } else if (query->reduction != NO_REDUCTION) {
            picks[count++] = (Pick){c, query->reduction};
        } else {
            if (!spread)
                picks[count++] = (Pick){c, MAX};
            picks[count++] = (Pick){c, MEAN};
        }
    }
    return count;
}

static LitheStatus make_series(const LitheRecording *recording, const Query *query,
                               const Pick *picks, int32_t count, LitheSeriesSet *set,
                               LitheError *error) {
    LitheContext *context = recording->context;
    if (!LITHE_RESERVE(context, set->series, set->capacity, count))
        return lithe_fail_memory(error, "series");
    for (int32_t i = 0; i < count; i++) {
        LitheSeries *series = &set->series[set->count++];
        int kind = query->column->rank == 2 && query->column->dims[1] == 2;
        if (query->place == EACH && query->pose >= 0)
            snprintf(series->name, sizeof series->name, "%.120s.%c", query->base,
                     poses[query->pose].words[i]);
        else if (query->place == EACH)
            snprintf(series->name, sizeof series->name, "%.120s[%d]", query->base, i);
        else
            snprintf(series->name, sizeof series->name, "%.120s%s%s", query->base,
                     picks[i].component >= 0 ? components[kind][picks[i].component] : "",
                     reductions[picks[i].reduction]);
        int64_t width = query->column->rank == 2 ? query->column->dims[1]
                        : query->of_vector       ? 3
                                                 : 1;
        bool length = width > 1 && query->place != EACH && picks[i].component < 0;
        if (length)
            snprintf(series->title, sizeof series->title, "|%.120s|%s", query->base,
                     reductions[picks[i].reduction]);
        else
            snprintf(series->title, sizeof series->title, "%s", series->name);
        series->values = lithe_alloc_array(context, recording->frame_count, sizeof(double));
        if (!series->values)
            return lithe_fail_memory(error, "series");
    }
    return LITHE_OK;
}

static LitheStatus read_series(LitheRecording *recording, const Query *query, const Pick *picks,
                               LitheSeriesSet *set, LitheError *error) {
    const LitheColumn *column = query->column;
    int64_t block = BLOCK_BYTES / (column->count * (int64_t)sizeof(double));
    if (block > recording->frame_count)
        block = recording->frame_count;
    if (block < 1)
        block = 1;
    double *rows = lithe_alloc_array(recording->context, block * column->count, sizeof(double));
    if (!rows)
        return lithe_fail_memory(error, "rows of a recording");
    LitheStatus status = LITHE_OK;
    for (int64_t first = 0; status == LITHE_OK && first < recording->frame_count; first += block) {
        int64_t count = recording->frame_count - first;
        if (count > block)
            count = block;
        status = lithe_recording_read(recording, column, first, count, rows, error);
        for (int64_t k = 0; status == LITHE_OK && k < count; k++)
            for (int32_t i = 0; i < set->count; i++)
                set->series[i].values[first + k] =
                    value_of(query, &picks[i], rows + k * column->count);
    }
    lithe_free(recording->context, rows);
    return status;
}

LitheStatus lithe_recording_series(LitheRecording *recording, const char *name, LitheSeriesSet *set,
                                   LitheError *error) {
    if (lithe_is_pair_series(recording, name))
        return lithe_pair_series(recording, name, set, error);
    Query query;
    LitheStatus status = parse(recording, name, &query, error);
    if (status != LITHE_OK)
        return status;
    LitheSeriesSet made = {.context = recording->context};
    bool pose = query.pose >= 0;
    snprintf(made.unit, sizeof made.unit, "%s", pose ? poses[query.pose].unit : query.column->unit);
    const char *what = strrchr(query.column->path, '/');
    bool plain = strcmp(made.unit, "1") == 0;
    snprintf(made.label, sizeof made.label, "%.100s%s%s%s",
             pose   ? poses[query.pose].name
             : what ? what + 1
                    : query.column->path,
             plain ? "" : " [", plain ? "" : made.unit, plain ? "" : "]");
    made.whole = query.column->kind == LITHE_COLUMN_INTEGER;
    for (char *at = made.label; *at; at++)
        if (*at == '_')
            *at = ' ';

    Pick picks[PICKS];
    int32_t count = make_picks(&query, picks);
    status = make_series(recording, &query, picks, count, &made, error);
    if (status == LITHE_OK)
        status = read_series(recording, &query, picks, &made, error);
    if (status != LITHE_OK) {
        lithe_series_release(&made);
        return status;
    }
    *set = made;
    return LITHE_OK;
}

void lithe_series_release(LitheSeriesSet *set) {
    for (int32_t i = 0; i < set->count; i++)
        lithe_free(set->context, set->series[i].values);
    lithe_free(set->context, set->series);
    *set = (LitheSeriesSet){.context = set->context};
}
