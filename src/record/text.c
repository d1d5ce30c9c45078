// SPDX-License-Identifier: Apache-2.0
// record/text.c - the fewest digits, from 15 to 17, that read back as the same number

#include "record/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print(FILE *file, double number, int most) {
    char text[40];
    for (int digits = 15; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (isnan(number) || strtod(text, NULL) == number)
            break;
    }
    // any character between digits is the decimal point of the locale
    size_t length = strspn(text, "+-0123456789");
    if (text[length] != '\0' && !strchr(".einfa", text[length])) {
        char *rest = text + length;
        size_t wide = strcspn(rest, "0123456789");
        *rest = '.';
        memmove(rest + 1, rest + wide, strlen(rest + wide) + 1);
    }
    fputs(text, file);
}

void lithe_text_number(FILE *file, double number) {
    print(file, number, 17);
}

void lithe_text_time(FILE *file, double time) {
    print(file, time, 15);
}
