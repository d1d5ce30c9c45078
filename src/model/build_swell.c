// SPDX-License-Identifier: Apache-2.0
// model/build_swell.c - changes of the natural size of solids: their elements and directions

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"

#include <stdio.h>
#include <string.h>

// marks the elements whose nodes are all marked; returns their number
static int32_t mark_elements(const LitheSolid *solid, const unsigned char *marked,
                             unsigned char *in) {
    int32_t width = solid->mesh.nodes_per_element, count = 0;
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        const int32_t *node = solid->mesh.elements + (int64_t)e * width;
        in[e] = 1;
        for (int32_t a = 0; a < width; a++)
            in[e] = in[e] && marked[node[a]];
        count += in[e];
    }
    return count;
}

static LitheStatus add(const LitheScene *scene, const LitheSwellDef *def, Quat rotation,
                       const LitheMembers *members, unsigned char *marked, LitheSolid *solid,
                       LitheError *error) {
    LitheContext *context = scene->context;
    LitheSwell *own = &solid->swells[solid->swell_count++];
    own->name = lithe_alloc_text(context, def->name);
    own->in = lithe_alloc_array(context, solid->mesh.element_count, 1);
    if (!own->name || !own->in || !lithe_profile_copy(context, &def->factor, &own->profile))
        return lithe_fail_memory(error, "a swell");
    if (v3_norm(def->along) > 0)
        own->along = q4_rotate(rotation, v3_unit(def->along));
    memset(marked, 0, (size_t)solid->mesh.node_count);
    for (int32_t i = 0; i < members->count; i++)
        marked[members->list[i]] = 1;
    if (mark_elements(solid, marked, own->in) > 0)
        return LITHE_OK;
    char path[256];
    snprintf(path, sizeof path, "swells.%s.on", def->name);
    return lithe_scene_fail(scene, error, path,
                            "swell '%s': no element of solid '%s' has all its nodes among the %d "
                            "of this place",
                            def->name, solid->name, members->count);
}

LitheStatus lithe_build_swells(const LitheScene *scene, Quat rotation, LitheMembers *members,
                               LitheSolid *solid, LitheError *error) {
    LitheContext *context = scene->context;
    LitheStatus status = LITHE_OK;
    if (scene->swell_count == 0)
        return LITHE_OK;
    unsigned char *marked = lithe_alloc_array(context, solid->mesh.node_count, 1);
    solid->swells = lithe_alloc_array(context, scene->swell_count, sizeof *solid->swells);
    if (!marked || !solid->swells)
        status = lithe_fail_memory(error, "the swells");
    for (int32_t k = 0; status == LITHE_OK && k < scene->swell_count; k++) {
        const LitheSwellDef *def = &scene->swells[k];
        status = lithe_members_find(scene, &def->place, "swell", def->name, members, error);
        if (status == LITHE_OK && members->count > 0)
            status = add(scene, def, rotation, members, marked, solid, error);
    }
    lithe_free(context, marked);
    return status;
}

void lithe_swells_free(LitheContext *context, LitheSolid *solid) {
    for (int32_t i = 0; i < solid->swell_count; i++) {
        lithe_profile_free(context, &solid->swells[i].profile);
        lithe_free(context, solid->swells[i].name);
        lithe_free(context, solid->swells[i].in);
    }
    lithe_free(context, solid->swells);
}
