// SPDX-License-Identifier: Apache-2.0
// scene/write_constraint.c - anchors and settings of contact as YAML

#include "scene/write.h"

#include <string.h>

// rope.end, crate, world
static void put_on(LitheWriter *w, const LitheAnchor *anchor) {
    if (anchor->kind == LITHE_ANCHOR_ROD || anchor->kind == LITHE_ANCHOR_PARTICLES ||
        anchor->kind == LITHE_ANCHOR_SOLID)
        lithe_put_place(w, &anchor->place);
    else if (anchor->kind == LITHE_ANCHOR_BODY)
        lithe_print(w, "%s", w->scene->bodies[anchor->body.number - 1].name);
    else
        lithe_print(w, "world");
}

static void put_anchor(LitheWriter *w, const LitheAnchor *anchor) {
    const LitheAnchor defaults = lithe_anchor_default();
    bool moved = memcmp(&anchor->at, &defaults.at, sizeof defaults.at) != 0 ||
                 (anchor->kind == LITHE_ANCHOR_SOLID && anchor->place.kind == LITHE_PLACE_INSIDE);
    bool turned = memcmp(&anchor->rotation, &defaults.rotation, sizeof defaults.rotation) != 0;
    lithe_print(w, moved || turned ? " {on: \"" : " ");
    put_on(w, anchor);
    if (moved || turned)
        lithe_print(w, "\"");
    if (moved) {
        lithe_print(w, ", at: ");
        lithe_put_vector(w, anchor->at);
    }
    if (turned) {
        lithe_print(w, ", rotate: ");
        lithe_put_quat(w, anchor->rotation);
    }
    lithe_print(w, moved || turned ? "}" : "");
}

void lithe_write_anchor(LitheWriter *w, const char *key, const LitheAnchor *anchor) {
    lithe_put_key(w, key);
    put_anchor(w, anchor);
    lithe_print(w, "\n");
}

void lithe_write_anchors(LitheWriter *w, const char *key, const LitheAnchor *anchors,
                         int32_t count) {
    if (count < 1)
        return;
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < count; i++) {
        lithe_print(w, "%*s-", 2 * w->indent + 2, "");
        put_anchor(w, &anchors[i]);
        lithe_print(w, "\n");
    }
}

static bool same_imc(const LitheImcDef *a, const LitheImcDef *b) {
    return a->friction == b->friction && lithe_same_bits(a->force, b->force) &&
           lithe_same_bits(a->sharpness, b->sharpness) &&
           lithe_same_bits(a->smoothing, b->smoothing) &&
           lithe_same_bits(a->parallel, b->parallel) && lithe_same_bits(a->reach, b->reach) &&
           lithe_same_bits(a->depth, b->depth) && lithe_same_bits(a->hover, b->hover) &&
           lithe_same_bits(a->stick_speed, b->stick_speed) && lithe_same_bits(a->onset, b->onset) &&
           a->plain == b->plain;
}

static bool same_lcp(const LitheLcpDef *a, const LitheLcpDef *b) {
    return a->solver == b->solver && a->directions == b->directions && a->rank == b->rank &&
           a->scale == b->scale && a->regularise == b->regularise && a->recheck == b->recheck &&
           a->warm_start == b->warm_start && a->fall_back == b->fall_back &&
           a->masses_alone == b->masses_alone && lithe_same_bits(a->push, b->push) &&
           lithe_same_bits(a->push_speed, b->push_speed);
}

static bool same_contact(const LitheContactDef *a, const LitheContactDef *b) {
    return a->enabled == b->enabled && a->model == b->model && a->law == b->law &&
           a->passes == b->passes && lithe_same_bits(a->tolerance, b->tolerance) &&
           a->max_iterations == b->max_iterations &&
           lithe_same_bits(a->stick_speed, b->stick_speed) && lithe_same_bits(a->sigma, b->sigma) &&
           lithe_same_bits(a->beta, b->beta) && lithe_same_bits(a->margin, b->margin) &&
           a->single == b->single && a->certify == b->certify && a->most_cuts == b->most_cuts &&
           a->max_pairs == b->max_pairs && same_imc(&a->imc, &b->imc) && a->patches == b->patches &&
           a->merge_patches == b->merge_patches && same_lcp(&a->lcp, &b->lcp) &&
           a->faces == b->faces && lithe_same_bits(a->start_overlap, b->start_overlap);
}

void lithe_write_contact(LitheWriter *w) {
    const LitheContactDef defaults = lithe_contact_def_default();
    bool same = same_contact(&w->scene->contact, &defaults);
    const LitheTable *table = lithe_write_section(w, "contact", !same);
    if (same)
        return;
    w->indent = 1;
    lithe_write_mapping(w, table, &w->scene->contact, &defaults);
    w->indent = 0;
}
