// SPDX-License-Identifier: Apache-2.0
// view/guard.c - access control: hosts, origins and tokens of requests

#include "view/guard.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool lithe_view_token(char token[LITHE_VIEW_TOKEN_CAPACITY]) {
    unsigned char bytes[(LITHE_VIEW_TOKEN_CAPACITY - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof bytes; i++) {
        token[2 * i] = digits[bytes[i] >> 4];
        token[2 * i + 1] = digits[bytes[i] & 15];
    }
    token[LITHE_VIEW_TOKEN_CAPACITY - 1] = '\0';
    return true;
}

// The host without its port, from "127.0.0.1:80" or "[::1]:80". False for any other form.
static bool host_alone(const char *host, char *out, size_t capacity) {
    bool brackets = host[0] == '[';
    const char *begin = host + brackets;
    size_t length = strcspn(begin, brackets ? "]" : ":");
    const char *rest = begin + length + (brackets && begin[length] == ']');
    if (length == 0 || length >= capacity || (brackets && begin[length] != ']'))
        return false;
    if (*rest == ':') {
        size_t digits = strspn(rest + 1, "0123456789");
        if (digits == 0 || digits > 5 || rest[1 + digits] != '\0')
            return false;
    } else if (*rest != '\0') {
        return false;
    }
    memcpy(out, begin, length);
    out[length] = '\0';
    return true;
}

bool lithe_view_host_passes(const char *host, bool loopback) {
    char name[64];
    unsigned char number[16];
    if (!host || !host_alone(host, name, sizeof name))
        return false;
    if (strcasecmp(name, "localhost") == 0)
        return true;
    if (host[0] != '[' && inet_pton(AF_INET, name, number) == 1)
        return !loopback || number[0] == 127;
    if (host[0] == '[' && inet_pton(AF_INET6, name, number) == 1) {
        static const unsigned char own[16] = {[15] = 1};
        return !loopback || memcmp(number, own, sizeof own) == 0;
    }
    return false;
}

bool lithe_view_origin_passes(const char *origin, const char *host) {
    if (!origin)
        return true;
    return host && strncmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0;
}

static const char second[] = "&run=1";

bool lithe_view_second_requested(const char *query) {
    size_t length = query ? strlen(query) : 0, own = sizeof second - 1;
    return length > own && strcmp(query + length - own, second) == 0;
}

bool lithe_view_token_passes(const char *query, const char *token) {
    if (!query || strncmp(query, "token=", 6) != 0)
        return false;
    const char *given = query + 6;
    size_t length = strlen(token);
    size_t rest = lithe_view_second_requested(query) ? sizeof second - 1 : 0;
    if (length == 0 || strlen(given) != length + rest)
        return false;
    unsigned char different = 0;
    for (size_t i = 0; i < length; i++)
        different |= (unsigned char)(given[i] ^ token[i]);
    return different == 0;
}
