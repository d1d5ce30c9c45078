// SPDX-License-Identifier: Apache-2.0
// lithe/base.h - common to all calls: status, error message, context (memory and log), version

#ifndef LITHE_BASE_H
#define LITHE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// LITHE_API marks what the shared library exports.
#if defined(__GNUC__)
#define LITHE_API __attribute__((visibility("default")))
#define LITHE_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define LITHE_API
#define LITHE_PRINTF(format_index, first_index)
#endif

/// Version of these headers; lithe_version() is that of the library in use.
#define LITHE_VERSION_MAJOR 0
#define LITHE_VERSION_MINOR 1
#define LITHE_VERSION_PATCH 0
#define LITHE_VERSION "0.1.0"

/// Outcome of a call that can fail. Except for LITHE_OK, LitheError has a message.
typedef enum LitheStatus {
    LITHE_OK = 0,
    LITHE_BAD_INPUT,     ///< a scene, file or argument is wrong; nothing was changed
    LITHE_NO_MEMORY,     ///< an allocation failed; nothing was changed
    LITHE_FILE_ERROR,    ///< a file could not be read or written
    LITHE_NOT_SUPPORTED, ///< a valid request that this version does not support
    LITHE_CANNOT_GO_ON,  ///< the simulation stopped; the last valid state is kept
    LITHE_INTERRUPTED,   ///< the caller requested a stop; the state is kept
} LitheStatus;

/// Why a call failed. `text` is complete and ready to print:
/// "rope.yaml:12:9: rod 'lace': radius is -0.002 m, must be > 0".
typedef struct LitheError {
    LitheStatus status; ///< the same as the call returned
    int32_t line;       ///< in the scene file, from 1; 0: none
    int32_t column;     ///< from 1; 0: none
    char text[4096];    ///< several mistakes of one scene: one per line
} LitheError;

/// Severity of a log message.
typedef enum LitheLogLevel {
    LITHE_LOG_DEBUG,   ///< for developers of the library
    LITHE_LOG_INFO,    ///< information
    LITHE_LOG_WARNING, ///< valid, but perhaps not intended
} LitheLogLevel;

/// Receives every log message. The library itself never prints.
typedef void LitheLogFn(LitheLogLevel level, const char *text, void *user);

/// Settings of a context. Start from lithe_context_def_default().
typedef struct LitheContextDef {
    void *(*alloc)(size_t bytes, void *user); ///< 64-byte aligned; NULL when out of memory
    void (*free)(void *block, void *user);    ///< frees a block from alloc
    void *memory_user;                        ///< passed to both
    LitheLogFn *log;                          ///< may be NULL
    void *log_user;                           ///< passed to log
} LitheContextDef;

/// Memory and log of a group of objects. It is not a world: it holds no physics. Destroy all
/// objects of a context before the context. Several threads may use one context.
typedef struct LitheContext LitheContext;

/// The heap of the C library, no log.
LITHE_API LitheContextDef lithe_context_def_default(void);

/// `def` may be NULL for the defaults. Returns NULL when out of memory.
LITHE_API LitheContext *lithe_context_create(const LitheContextDef *def);

/// Accepts NULL. Asserts that every object of the context was destroyed.
LITHE_API void lithe_context_destroy(LitheContext *context);

/// Bytes in use by objects of this context: now, and the maximum so far.
LITHE_API size_t lithe_context_bytes(const LitheContext *context);
LITHE_API size_t lithe_context_peak_bytes(const LitheContext *context);

/// Number of allocations so far. A step after warm-up must not change it.
LITHE_API int64_t lithe_context_alloc_count(const LitheContext *context);

/// "0.1.0"
LITHE_API const char *lithe_version(void);

/// Name of a status: "bad input".
LITHE_API const char *lithe_status_name(LitheStatus status);

/// Called on an internal error or misuse of the API; the default prints to stderr and aborts.
/// This is the only process-wide setting of the library.
typedef void LitheAssertFn(const char *condition, const char *file, int line);
LITHE_API void lithe_set_assert_handler(LitheAssertFn *handler);

#ifdef __cplusplus
}
#endif

#endif
