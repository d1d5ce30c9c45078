// SPDX-License-Identifier: Apache-2.0
// run/claims.c - locks of open file descriptions (fcntl), which network file systems pass on

#define _GNU_SOURCE // F_OFD_SETLK

#include "run/claims.h"

#include "base/status.h"
#include "record/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// bytes beyond all rows: who has the file open, and who writes the common files
#define PRESENCE ((off_t)1 << 40)
#define SECTION (PRESENCE + 1)

// 0, or an errno
static int lock(const LitheClaims *claims, int command, short type, off_t at) {
    struct flock region = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
    while (fcntl(claims->fd, command, &region) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

static bool is_held(int reason) {
    return reason == EAGAIN || reason == EACCES;
}

static LitheStatus fail(const LitheClaims *claims, int reason, LitheError *error) {
    return lithe_fail(error, LITHE_FILE_ERROR,
                      "%s: cannot lock: %s (the file system of the folder must support locks of "
                      "fcntl)",
                      claims->path, strerror(reason));
}

LitheStatus lithe_claims_open(const char *path, bool alone, LitheClaims *claims,
                              LitheError *error) {
    *claims = (LitheClaims){.path = path, .fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    if (claims->fd < 0)
        return lithe_disk_fail(error, path, "write", errno);
    int reason = lock(claims, F_OFD_SETLK, alone ? F_WRLCK : F_RDLCK, PRESENCE);
    if (reason == 0)
        return LITHE_OK;
    LitheStatus status = fail(claims, reason, error);
    if (is_held(reason))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: another sweep is running in this folder: wait for it, or choose "
                            "another one with --out",
                            path);
    lithe_claims_close(claims);
    return status;
}

LitheStatus lithe_claims_take(const LitheClaims *claims, int32_t row, bool *taken,
                              LitheError *error) {
    int reason = lock(claims, F_OFD_SETLK, F_WRLCK, row);
    *taken = reason == 0;
    return reason == 0 || is_held(reason) ? LITHE_OK : fail(claims, reason, error);
}

void lithe_claims_drop(const LitheClaims *claims, int32_t row) {
    lock(claims, F_OFD_SETLK, F_UNLCK, row);
}

LitheStatus lithe_claims_begin(const LitheClaims *claims, LitheError *error) {
    int reason = lock(claims, F_OFD_SETLKW, F_WRLCK, SECTION);
    return reason == 0 ? LITHE_OK : fail(claims, reason, error);
}

void lithe_claims_end(const LitheClaims *claims) {
    lock(claims, F_OFD_SETLK, F_UNLCK, SECTION);
}

void lithe_claims_close(LitheClaims *claims) {
    if (claims->fd >= 0)
        close(claims->fd);
    claims->fd = -1;
}
