// SPDX-License-Identifier: Apache-2.0
// cli/doctor.c - lithe doctor: versions, processor, libraries, what is missing

#include "cli/cli.h"

#include "plan/ipopt.h"
#include "sparse/dissect.h"
#include "sparse/rod_matrix.h"

#include <hdf5.h>
#include <libfyaml.h>
#include <libxml/xmlversion.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static int problems; // number of problems that keep Lithe from working

static void line(const char *what, const char *format, ...) LITHE_PRINTF(2, 3);
static void line(const char *what, const char *format, ...) {
    printf("  %-12s ", what);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

static const char *compiler(void) {
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

static const char *processor_features(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    static char text[64];
    snprintf(text, sizeof text, "x86_64%s%s%s", __builtin_cpu_supports("avx2") ? " avx2" : "",
             __builtin_cpu_supports("fma") ? " fma" : "",
             __builtin_cpu_supports("avx512f") ? " avx512f" : "");
    return text;
#elif defined(__aarch64__)
    return "aarch64 neon";
#else
    return "other";
#endif
}

// "model name : ..." where the system has it
static void processor_name(char *out, size_t size) {
    snprintf(out, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char row[512];
    while (fgets(row, sizeof row, file)) {
        const char *colon = strchr(row, ':');
        if (strncmp(row, "model name", 10) != 0 || !colon)
            continue;
        snprintf(out, size, "%s", colon + 2);
        out[strcspn(out, "\n")] = '\0';
        break;
    }
    fclose(file);
}

static void libraries(void) {
    line("libfyaml", "%s", fy_library_version());
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    line("HDF5", "%u.%u.%u", major, minor, release);
    if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR) {
        line("", "built with %d.%d.%d: rebuild Lithe (tools/build)", H5_VERS_MAJOR, H5_VERS_MINOR,
             H5_VERS_RELEASE);
        problems++;
    }
    line("libpng", "%s", png_get_libpng_ver(NULL));
    line("libxml2", "%s", LIBXML_DOTTED_VERSION);
    line("order", "%s (separators of meshes)", lithe_block_dissect_name());
    const char *reason = "";
    if (lithe_ipopt_found(&reason))
        line("IPOPT", "found (lithe plan --solver ipopt)");
    else
        line("IPOPT", "not found, optional: plans are solved by the own method; %s", reason);
}

static void folder(void) {
    char here[4096];
    if (!getcwd(here, sizeof here))
        snprintf(here, sizeof here, ".");
    if (access(".", W_OK) == 0) {
        line("folder", "%s, writable", here);
    } else {
        line("folder", "%s, NOT writable: use another folder or --out", here);
        problems++;
    }
}

static void scenes(void) {
    char path[4096];
    if (lithe_cli_scene_folder(path, sizeof path)) {
        line("scenes", "%s", path);
    } else {
        line("scenes", "not found: `lithe examples` has nothing to show; reinstall, or run the "
                       "command from where it was built");
        problems++;
    }
}

// optional programs
static void companions(void) {
    static const struct {
        const char *program, *use, *get;
    } list[] = {
        {"h5dump", "to look into recordings", "apt install hdf5-tools"},
        {"paraview", "to open .pvd exports", "apt install paraview"},
    };
    const char *path = getenv("PATH");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        bool found = false;
        for (const char *at = path; at && *at && !found;) {
            size_t length = strcspn(at, ":");
            char file[4096];
            snprintf(file, sizeof file, "%.*s/%s", (int)length, at, list[i].program);
            found = access(file, X_OK) == 0;
            at += length + (at[length] == ':');
        }
        line(list[i].program, "%s", found ? "found" : "not found");
        if (!found)
            line("", "optional, %s: %s", list[i].use, list[i].get);
    }
}

int lithe_cli_doctor(int argc, char **argv) {
    const struct argp argp = {.doc = "Versions, processor, libraries, and what is missing.\v"
                                     "Exit code 1 when something keeps Lithe from working.\n\n"
                                     "Example:\n  lithe doctor\n"};
    lithe_cli_parse(&argp, argc, argv, NULL);
    problems = 0;
    struct utsname system;
    bool named = uname(&system) == 0;
    char name[256];
    processor_name(name, sizeof name);
    line("lithe", "%s", lithe_version());
    line("compiler", "%s", compiler());
    line("system", "%s %s", named ? system.sysname : "unknown", named ? system.release : "");
    line("processor", "%s", name);
    line("features", "%s", processor_features());
    line("kernel", "%s (rod factorisation)", lithe_rod_kernel_name());
    line("threads", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    libraries();
    folder();
    scenes();
    companions();
    printf("%s\n", problems == 0 ? "no problems found" : "see the lines above for what to do");
    return problems == 0 ? LITHE_EXIT_DONE : LITHE_EXIT_CHECK_FAILED;
}
