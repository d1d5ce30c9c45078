// SPDX-License-Identifier: Apache-2.0
// run/leftovers.c - removes the temporary files of an output, recognised by their names

#include "run/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *skip_digits(const char *at) {
    const char *start = at;
    while (*at >= '0' && *at <= '9')
        at++;
    return at > start ? at : NULL;
}

// ".PID-K.tmp"
static bool is_temporary(const char *tail) {
    if (*tail != '.' || !(tail = skip_digits(tail + 1)) || *tail != '-')
        return false;
    tail = skip_digits(tail + 1);
    return tail && strcmp(tail, ".tmp") == 0;
}

static bool is_leftover(const char *name, const char *base) {
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0)
        return false;
    static const char *const kinds[] = {"", ".journal", ".checkpoint"};
    for (int i = 0; i < 3; i++)
        if (strncmp(name + length, kinds[i], strlen(kinds[i])) == 0 &&
            is_temporary(name + length + strlen(kinds[i])))
            return true;
    return false;
}

void lithe_leftovers_remove(const char *out) {
    // where the output is a symbolic link, temporary files are next to its target
    char resolved[PATH_MAX], folder[PATH_MAX];
    const char *target = realpath(out, resolved) ? resolved : out;
    const char *slash = strrchr(target, '/');
    size_t length = slash ? (size_t)(slash - target) + 1 : 0;
    if (length >= sizeof folder)
        return;
    memcpy(folder, target, length);
    folder[length] = '\0';
    DIR *entries = opendir(length > 0 ? folder : ".");
    if (!entries)
        return;
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL)
        if (is_leftover(entry->d_name, target + length))
            unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
}
