// SPDX-License-Identifier: Apache-2.0
// cli/validate/report.c - output of lithe validate: JSON lines, a table, an HTML page with plots

#include "cli/cli.h"
#include "cli/validate/validate.h"

#include "base/file.h"
#include "base/status.h"
#include "record/svg.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char *kind_name(LitheErrorKind kind) {
    return kind == LITHE_ERROR_RELATIVE   ? "relative"
           : kind == LITHE_ERROR_ABSOLUTE ? "absolute"
           : kind == LITHE_ERROR_AT_MOST  ? "at-most"
                                          : "reported";
}

static const char *verdict(const LitheFinding *f) {
    return f->fails ? f->fails : f->kind == LITHE_ERROR_REPORTED ? "reported" : "pass";
}

// --- JSON ----------------------------------------------------------------------------------------

static void print_finding(const char *name, const LitheFinding *f, double seconds) {
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "case", name);
    lithe_json_text(&json, "quantity", f->quantity);
    lithe_json_number(&json, "measured", f->measured);
    lithe_json_number(&json, "reference", f->reference);
    bool exact = f->kind == LITHE_ERROR_AT_MOST || f->kind == LITHE_ERROR_REPORTED;
    lithe_json_number(&json, "tolerance", exact ? 0 : f->tolerance);
    lithe_json_text(&json, "tolerance_kind", kind_name(f->kind));
    lithe_json_number(&json, "error", lithe_finding_error(f, f->measured));
    lithe_json_number(&json, "error_coarse",
                      isnan(f->coarse) ? NAN : lithe_finding_error(f, f->coarse));
    lithe_json_number(&json, "order", lithe_finding_order(f));
    lithe_json_bool(&json, "passed", f->fails == NULL);
    lithe_json_number(&json, "seconds", seconds);
    lithe_json_close(&json);
}

// a case that stopped is a quantity that was not measured
static void print_stopped(const char *name, const LitheTrial *trial) {
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "case", name);
    lithe_json_text(&json, "quantity", "case completes");
    lithe_json_null(&json, "measured");
    lithe_json_null(&json, "reference");
    lithe_json_null(&json, "tolerance");
    lithe_json_bool(&json, "passed", false);
    lithe_json_number(&json, "seconds", trial->seconds);
    lithe_json_text(&json, "message", trial->error.text);
    lithe_json_close(&json);
}

void lithe_validate_json(const LitheCaseResult *outcome) {
    const LitheTrial *trial = outcome->trial;
    for (int32_t i = 0; i < trial->count; i++)
        print_finding(outcome->which->name, &trial->findings[i], trial->seconds);
    if (trial->error.status != LITHE_OK)
        print_stopped(outcome->which->name, trial);
}

// --- table ---------------------------------------------------------------------------------------

static void write_error(char *out, size_t size, double error, LitheErrorKind kind) {
    if (isnan(error))
        snprintf(out, size, "-");
    else if (kind == LITHE_ERROR_RELATIVE)
        snprintf(out, size, "%.2e rel", error);
    else
        snprintf(out, size, "%.2e abs", error);
}

// the cells of a row, as text
typedef struct Row {
    char measured[32], reference[32], coarse[32], fine[32], order[16], tolerance[32];
} Row;

static Row row_of(const LitheFinding *f) {
    Row row;
    double fine = lithe_finding_error(f, f->measured), coarse = lithe_finding_error(f, f->coarse);
    double order = lithe_finding_order(f);
    bool reported = f->kind == LITHE_ERROR_REPORTED,
         limit = f->kind == LITHE_ERROR_AT_MOST || reported;
    snprintf(row.measured, sizeof row.measured, "%.7g", f->measured);
    snprintf(row.reference, sizeof row.reference,
             reported ? "-"
             : limit  ? "<= %.3g"
                      : "%.7g",
             f->reference);
    write_error(row.coarse, sizeof row.coarse, isnan(f->coarse) ? NAN : coarse, f->kind);
    write_error(row.fine, sizeof row.fine, limit ? NAN : fine, f->kind);
    write_error(row.tolerance, sizeof row.tolerance, limit ? NAN : f->tolerance, f->kind);
    if (isnan(order))
        snprintf(row.order, sizeof row.order, "-");
    else if (fine <= f->floor)
        snprintf(row.order, sizeof row.order, "floor");
    else
        snprintf(row.order, sizeof row.order, "%.2f", order);
    return row;
}

void lithe_validate_table(const LitheCaseResult *outcome) {
    const LitheTrial *trial = outcome->trial;
    printf("%s: %s (%.2f s)\n", outcome->which->name, outcome->which->title, trial->seconds);
    printf("  %-30s %13s %13s %13s %13s %6s %13s\n", "quantity", "measured", "reference", "error N",
           "error 2N", "order", "tolerance");
    for (int32_t i = 0; i < trial->count; i++) {
        const LitheFinding *f = &trial->findings[i];
        Row row = row_of(f);
        printf("  %-30s %13s %13s %13s %13s %6s %13s  %s%s\n", f->quantity, row.measured,
               row.reference, row.coarse, row.fine, row.order, row.tolerance,
               f->fails ? "FAIL: " : "", verdict(f));
    }
    if (trial->error.status != LITHE_OK)
        printf("  FAIL: the case stopped: %s\n", trial->error.text);
    putchar('\n');
}

// --- HTML ----------------------------------------------------------------------------------------

static const char *const page_head =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>Lithe: validation</title>\n<style>\n"
    "body { font: 15px/1.45 system-ui, sans-serif; max-width: 70em; margin: 2em auto;"
    " padding: 0 1em; color: #222; }\n"
    "table { border-collapse: collapse; margin: 0.5em 0 1em; }\n"
    "th, td { padding: 0.15em 0.7em; text-align: right; border-bottom: 1px solid #ddd; }\n"
    "th:first-child, td:first-child, td:last-child { text-align: left; }\n"
    "img { max-width: 100%; }\n.pass { color: #1a7f37; }\n.fail { color: #c0161c;"
    " font-weight: bold; }\n</style>\n</head>\n<body>\n<h1>Lithe: physical validation</h1>\n";

static const char *const page_rule =
    "<p>A quantity passes when its error is inside the tolerance at both resolutions and does not "
    "grow when the resolution is doubled. Growth is ignored where the finer error is at the "
    "floor of the case (rounding, digits of the reference, known approximations of the model); "
    "the order then reads <i>floor</i>.</p>\n";

static void write_case(FILE *file, const LitheCaseResult *outcome) {
    const LitheTrial *trial = outcome->trial;
    const char *name = outcome->which->name;
    lithe_svg(file, "<h2 id=\"%t\">%t</h2>\n<p>%t. Reference: %t. ", name, name,
              outcome->which->title, outcome->which->source);
    fprintf(file, "%.2f s.</p>\n", trial->seconds);
    if (trial->plot.curve_count > 0)
        lithe_svg(file, "<p><img src=\"%t.svg\" alt=\"%t\"></p>\n", name, trial->plot.title);
    fputs("<table>\n<tr><th>quantity</th><th>measured</th><th>reference</th><th>error N</th>"
          "<th>error 2N</th><th>order</th><th>tolerance</th><th></th></tr>\n",
          file);
    for (int32_t i = 0; i < trial->count; i++) {
        const LitheFinding *f = &trial->findings[i];
        Row row = row_of(f);
        lithe_svg(file,
                  "<tr><td>%t</td><td>%t</td><td>%t</td><td>%t</td><td>%t</td><td>%t</td>"
                  "<td>%t</td><td class=\"%t\">%t</td></tr>\n",
                  f->quantity, row.measured, row.reference, row.coarse, row.fine, row.order,
                  row.tolerance, f->fails ? "fail" : "pass", verdict(f));
    }
    fputs("</table>\n", file);
    if (trial->error.status != LITHE_OK)
        lithe_svg(file, "<p class=\"fail\">The case stopped: %t</p>\n", trial->error.text);
}

static LitheStatus make_folder(const char *folder, LitheError *error) {
    struct stat info;
    if (mkdir(folder, 0777) == 0 ||
        (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
        return LITHE_OK;
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot create this folder: %s", folder,
                      strerror(errno));
}

LitheStatus lithe_validate_report(LitheContext *context, const char *folder,
                                  const LitheCaseResult *outcomes, int32_t count,
                                  LitheError *error) {
    LitheStatus status = make_folder(folder, error);
    char path[4096];
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        snprintf(path, sizeof path, "%s/%s.svg", folder, outcomes[i].which->name);
        if (outcomes[i].trial->plot.curve_count > 0)
            status = lithe_validate_draw(context, path, &outcomes[i].trial->plot, error);
    }
    if (status != LITHE_OK)
        return status;
    snprintf(path, sizeof path, "%s/index.html", folder);
    LitheFileReplace page;
    status = lithe_file_replace_begin(context, path, &page, error);
    if (status != LITHE_OK)
        return status;
    fputs(page_head, page.file);
    fputs(page_rule, page.file);
    for (int32_t i = 0; i < count; i++)
        write_case(page.file, &outcomes[i]);
    fputs("</body>\n</html>\n", page.file);
    return lithe_file_replace_commit(&page, error);
}
