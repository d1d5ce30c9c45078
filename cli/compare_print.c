// SPDX-License-Identifier: Apache-2.0
// cli/compare_print.c - output of a comparison: table, text, JSON, curves and plots

#include "cli/compare.h"

#include "base/file.h"
#include "base/status.h"
#include "record/plot.h"
#include "record/text.h"

#include <math.h>
#include <string.h>

// --- the table -----------------------------------------------------------------------------------

enum { LABEL = 42, COLUMN = 14 };

// one cell; `text` may be empty
static void cell(FILE *file, const char *text) {
    fprintf(file, " %*s", COLUMN - 1, text);
}

static char *quantity(double value, const char *unit, char out[32]) {
    if (!isfinite(value))
        snprintf(out, 32, "-");
    else if (unit[0] == '\0')
        snprintf(out, 32, "%.4g", value);
    else
        lithe_cli_nice(value, unit, out);
    return out;
}

static char *percent(double fraction, char out[32]) {
    if (isfinite(fraction))
        snprintf(out, 32, "%.2g %%", 100 * fraction);
    else
        snprintf(out, 32, "-");
    return out;
}

// a row of numbers with a unit: one field of every model that ran
static void row(const LitheComparison *all, FILE *file, const char *label, const char *unit,
                size_t offset) {
    char text[32];
    fprintf(file, "  %-*s", LABEL - 2, label);
    for (int32_t i = 0; i < all->count; i++) {
        double value = 0;
        memcpy(&value, (const char *)&all->of[i] + offset, sizeof value);
        if (all->of[i].supported)
            cell(file, quantity(value, unit, text));
    }
    fputc('\n', file);
}

static void row_of_fractions(const LitheComparison *all, FILE *file, const char *label,
                             size_t offset) {
    const LitheCompared *first = lithe_compare_first(all);
    char text[32];
    fprintf(file, "  %-*s", LABEL - 2, label);
    for (int32_t i = 0; i < all->count; i++) {
        double fraction = 0;
        memcpy(&fraction, (const char *)&all->of[i] + offset, sizeof fraction);
        if (all->of[i].supported)
            cell(file, &all->of[i] == first ? "" : percent(fraction, text));
    }
    fputc('\n', file);
}

static void row_of_counts(const LitheComparison *all, FILE *file, const char *label,
                          size_t offset) {
    char text[32];
    fprintf(file, "  %-*s", LABEL - 2, label);
    for (int32_t i = 0; i < all->count; i++) {
        int64_t value = 0;
        memcpy(&value, (const char *)&all->of[i] + offset, sizeof value);
        snprintf(text, sizeof text, "%lld", (long long)value);
        if (all->of[i].supported)
            cell(file, text);
    }
    fputc('\n', file);
}

static int32_t ran(const LitheComparison *all) {
    int32_t count = 0;
    for (int32_t i = 0; i < all->count; i++)
        count += all->of[i].supported;
    return count;
}

#define AT(field) offsetof(LitheCompared, field)

static bool is_force(const LitheComparison *all) {
    return strcmp(all->unit, "N") == 0 || strcmp(all->unit, "N m") == 0;
}

static void forces(const LitheComparison *all, FILE *file) {
    char label[200], first[64];
    bool force = is_force(all);
    row(all, file, force ? "force, largest" : "value, largest", all->unit, AT(force_largest));
    row(all, file, force ? "force, mean over time" : "value, mean over time", all->unit,
        AT(force_mean));
    row(all, file, force ? "force at the end" : "value at the end", all->unit, AT(force_end));
    snprintf(first, sizeof first, "%s", lithe_compare_first(all)->model);
    snprintf(label, sizeof label, "difference from %s: RMS", first);
    if (ran(all) > 1) {
        row_of_fractions(all, file, label, AT(rms));
        row_of_fractions(all, file,
                         force ? "  max, of its largest force" : "  max, of its largest value",
                         AT(largest));
        row_of_fractions(all, file, "  median", AT(median));
    }
}

static void lengths(const LitheComparison *all, FILE *file) {
    char label[200];
    row(all, file, "deepest overlap", "m", AT(summary.max_penetration));
    row(all, file, "gap of the nearest contact, mean", "m", AT(gap_mean));
    snprintf(label, sizeof label, "max distance of a place from %s",
             lithe_compare_first(all)->model);
    if (ran(all) > 1)
        row(all, file, label, "m", AT(away));
}

static void energies(const LitheComparison *all, FILE *file) {
    row(all, file, "energy: work of drives, holds, forces", "J", AT(work));
    row(all, file, "  elastic, at the end", "J", AT(elastic));
    row(all, file, "  kinetic, at the end", "J", AT(kinetic));
    row(all, file, "  dissipated by friction", "J", AT(friction));
    row(all, file, "  absorbed by normal contact", "J", AT(contact));
    row(all, file, "  dissipated by damping and drag", "J", AT(dissipated));
    row(all, file, "  energy drift / largest energy", "", AT(summary.energy_drift));
}

static void work(const LitheComparison *all, FILE *file) {
    row_of_counts(all, file, "steps", AT(summary.steps));
    row_of_counts(all, file, "  with a solve that did not converge", AT(summary.solve_unconverged));
    row_of_counts(all, file, "  with friction that did not settle", AT(summary.friction_unsettled));
    row_of_counts(all, file, "  with substeps", AT(summary.steps_cut));
    row_of_counts(all, file, "crossings avoided", AT(summary.crossings_avoided));
    row_of_counts(all, file, "knots or links that changed", AT(summary.topology_changes));
    row(all, file, "contacts per step, mean", "", AT(summary.contacts_mean));
    row(all, file, "Newton iterations per step with contact", "", AT(summary.solve_mean));
    row(all, file, "  linearisations per step with contact", "", AT(summary.passes_mean));
    row(all, file, "processor time", "s", AT(busy_seconds));
    row(all, file, "wall time", "s", AT(summary.wall_seconds));
}

// --- explanation ---------------------------------------------------------------------------------

static const struct {
    const char *model, *about;
} words[] = {
    {"convex",
     "contacts are springs with dissipation and the stiffness of their materials: surfaces overlap "
     "by load over stiffness, and there is no force before they touch. Friction is Coulomb's, "
     "bounded by the normal force of the same step; sticking contacts creep with about "
     "contact.stick-speed, by default 1e-8 m/s. One convex problem per step; supports rods, "
     "bodies, joints, particles, soft solids and constraints."},
    {"imc",
     "contacts are a smooth potential of the distance of edges, which acts shortly before "
     "surfaces touch; its strength follows the load, such that the gap of the nearest pair is "
     "about 0.5 % of the radius, and rods are thicker by that. Stiffness and dissipation of "
     "materials are ignored: imc.damping damps the approach. Friction sticks below "
     "imc.stick-speed, by default 1e-6 m/s, and acts at the surfaces (imc.friction: paper "
     "opposes the motion of the last step at the midpoints of edges, without sticking). "
     "Supports rods only."},
    {"spt",
     "contact forces are found by iteration: the step is solved with given forces, gaps at its "
     "end are measured and forces corrected, until gaps are zero to a thousandth of the radius. "
     "There is no overlap and no gap; the stiffness of materials is ignored. Friction opposes "
     "the sliding at the start of the step, and is at most the force that stops it: it "
     "decelerates, but "
     "does not stick under load, and can chatter. Supports rods only."},
    {"lcp",
     "contacts are rigid: normal forces and gaps are complementary, friction has contact.lcp."
     "directions directions, and one linear complementarity problem per step is solved for both. "
     "It has schemes of its own, by default linearly-implicit, with forces at the start of the "
     "step. The stiffness of materials is ignored. Supports bodies, robots and soft arms."},
};

// lines of at most 78 characters, those after the first indented by `indent`
static void wrap(FILE *file, const char *text, int indent) {
    int at = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at + 1 + length > 78) {
            fprintf(file, "\n%*s", indent - 1, "");
            at = indent - 1;
        }
        fprintf(file, " %.*s", length, text);
        at += 1 + length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', file);
}

static void explain(const LitheComparison *all, FILE *file) {
    fprintf(file, "\n%s\n", ran(all) > 1 ? "What differs between the models:" : "The model:");
    for (int32_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (all->of[i].supported && strcmp(words[k].model, all->of[i].model) == 0) {
                fprintf(file, "  %-7s", words[k].model);
                wrap(file, words[k].about, 10);
            }
}

void lithe_compare_table(const LitheComparison *all, FILE *file) {
    char text[32];
    if (all->title && *all->title)
        fprintf(file, "%s\n", all->title);
    fprintf(file, "%s: %s", is_force(all) ? "force" : "value", all->quantity);
    if (all->smooth > 0)
        fprintf(file, ", mean over %s", lithe_cli_nice(all->smooth, "s", text));
    fprintf(file, "\n\n%-*s", LABEL, "");
    for (int32_t i = 0; i < all->count; i++)
        if (all->of[i].supported)
            cell(file, all->of[i].model);
    fputc('\n', file);
    row(all, file, "simulated", "s", AT(summary.sim_seconds));
    forces(all, file);
    lengths(all, file);
    energies(all, file);
    work(all, file);
    for (int32_t i = 0; i < all->count; i++)
        if (all->of[i].reason[0])
            fprintf(file, "\n  %s %s: %s\n", all->of[i].model,
                    all->of[i].supported ? "stopped early" : "does not support this scene",
                    all->of[i].reason);
    explain(all, file);
}

// --- JSON ----------------------------------------------------------------------------------------

static void json_run(const LitheCompared *c, LitheJson *json) {
    const LitheSummary *s = &c->summary;
    lithe_json_number(json, "sim_seconds", s->sim_seconds);
    lithe_json_number(json, "wall_seconds", s->wall_seconds);
    lithe_json_number(json, "busy_seconds", c->busy_seconds);
    lithe_json_number(json, "force_largest", c->force_largest);
    lithe_json_number(json, "force_mean", c->force_mean);
    lithe_json_number(json, "force_end", c->force_end);
    lithe_json_number(json, "difference_rms", c->rms);
    lithe_json_number(json, "difference_largest", c->largest);
    lithe_json_number(json, "difference_median", c->median);
    lithe_json_number(json, "max_penetration", s->max_penetration);
    lithe_json_number(json, "gap_mean", c->gap_mean);
    lithe_json_number(json, "drift", c->away);
    lithe_json_number(json, "energy_work", c->work);
    lithe_json_number(json, "energy_elastic", c->elastic);
    lithe_json_number(json, "energy_kinetic", c->kinetic);
    lithe_json_number(json, "energy_friction", c->friction);
    lithe_json_number(json, "energy_contact", c->contact);
    lithe_json_number(json, "energy_dissipated", c->dissipated);
    lithe_json_number(json, "energy_drift", s->energy_drift);
    lithe_json_integer(json, "steps", s->steps);
    lithe_json_integer(json, "steps_unconverged", s->steps_unconverged);
    lithe_json_integer(json, "solve_unconverged", s->solve_unconverged);
    lithe_json_integer(json, "friction_unsettled", s->friction_unsettled);
    lithe_json_integer(json, "steps_cut", s->steps_cut);
    lithe_json_integer(json, "crossings_avoided", s->crossings_avoided);
    lithe_json_integer(json, "topology_changes", s->topology_changes);
    lithe_json_number(json, "contacts_mean", s->contacts_mean);
    lithe_json_number(json, "solver_mean", s->solve_mean);
    lithe_json_number(json, "passes_mean", s->passes_mean);
    lithe_json_hash(json, "hash", s->hash);
}

void lithe_compare_json(const LitheComparison *all, FILE *file) {
    const LitheCompared *first = lithe_compare_first(all);
    for (int32_t i = 0; i < all->count; i++) {
        const LitheCompared *c = &all->of[i];
        LitheJson json = lithe_json_open(file);
        lithe_json_text(&json, "model", c->model);
        lithe_json_bool(&json, "served", c->supported);
        lithe_json_bool(&json, "complete", c->supported && !c->stopped);
        lithe_json_text(&json, "reason", c->reason[0] ? c->reason : NULL);
        lithe_json_text(&json, "force", all->quantity);
        lithe_json_text(&json, "unit", all->unit);
        lithe_json_number(&json, "smooth", all->smooth);
        lithe_json_text(&json, "reference", first ? first->model : NULL);
        if (c->supported)
            json_run(c, &json);
        lithe_json_close(&json);
    }
}

// --- files ---------------------------------------------------------------------------------------

static void curves(const LitheComparison *all, FILE *file) {
    fprintf(file, "model,time [s],%s [%s],nearest gap [m]\n", all->quantity, all->unit);
    for (int32_t i = 0; i < all->count; i++)
        for (int32_t k = 0; k < all->of[i].frames; k++) {
            const LitheCompared *c = &all->of[i];
            fprintf(file, "%s,", c->model);
            lithe_text_number(file, c->time[k]);
            fputc(',', file);
            lithe_text_number(file, c->force[k]);
            fputc(',', file);
            if (isfinite(c->gap[k]))
                lithe_text_number(file, c->gap[k]);
            fputc('\n', file);
        }
}

static LitheStatus write_file(const LitheComparison *all, const char *name,
                              void (*print)(const LitheComparison *, FILE *), LitheError *error) {
    char path[4096];
    LitheFileReplace replace = {0};
    lithe_compare_file(all, name, path);
    LitheStatus status = lithe_file_replace_begin(all->context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    print(all, replace.file);
    return lithe_file_replace_commit(&replace, error);
}

static LitheStatus draw(const LitheComparison *all, const char *name, bool gaps,
                        LitheError *error) {
    LithePlotSeries series[LITHE_COMPARE_MODELS] = {0};
    LithePlotReference touch = {.at = 0, .name = "surfaces touch"};
    LithePlot plot = lithe_plot_default();
    char path[4096], label[400];
    for (int32_t i = 0; i < all->count; i++) {
        const LitheCompared *c = &all->of[i];
        if (c->supported)
            series[plot.series_count] = (LithePlotSeries){.name = c->model,
                                                          .x = c->time,
                                                          .y = gaps ? c->gap : c->force,
                                                          .count = c->frames,
                                                          .dashed = plot.series_count > 0};
        plot.series_count += c->supported;
    }
    snprintf(label, sizeof label, "%s [%s]", all->quantity, all->unit);
    plot.width = 760; // room for the titles of scenes
    plot.title = all->title;
    plot.x.title = "time [s]";
    plot.y.title = gaps ? "gap of the nearest contact [m]" : label;
    plot.y.log = all->log && !gaps;
    plot.series = series;
    plot.references = gaps ? &touch : NULL;
    plot.reference_count = gaps;
    lithe_compare_file(all, name, path);
    return lithe_plot_write_svg(all->context, &plot, path, error);
}

static bool any_touched(const LitheComparison *all) {
    for (int32_t i = 0; i < all->count; i++)
        if (all->of[i].supported && isfinite(all->of[i].gap_mean))
            return true;
    return false;
}

LitheStatus lithe_compare_write(const LitheComparison *all, LitheError *error) {
    LitheStatus status = draw(all, "force.svg", false, error);
    if (status == LITHE_OK && any_touched(all))
        status = draw(all, "gap.svg", true, error);
    if (status == LITHE_OK)
        status = write_file(all, "curves.csv", curves, error);
    if (status == LITHE_OK)
        status = write_file(all, "compare.json", lithe_compare_json, error);
    if (status == LITHE_OK)
        status = write_file(all, "report.txt", lithe_compare_table, error);
    return status;
}
