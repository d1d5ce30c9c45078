// SPDX-License-Identifier: Apache-2.0
// cli/experiments.c - the published experiments by their short names, and the cases that repeat
// them

#include "cli/cli.h"

#include <strings.h>

static const LitheCliExperiment experiments[] = {
    {"F1", "a rope round a post", "capstan_patches", NULL},
    {"F2", "a knot pulled tight", "knot_tightening", "F2"},
    {"F3", "a belt on a crowned pulley", "crowned_pulley", "F3"},
    {"F4", "a gripper of entangling filaments", "entangling_gripper", "F4"},
    {"F5", "a shoelace tied by two hands", NULL, NULL},
    {"F6", "a chain of rings", "chain_of_rings", "F6"},
    {"K1", "a knot pulled at three speeds", "K1", NULL},
    {"K2a", "a knot tightened and loosened", "K2a", NULL},
    {"K2b", "a knot in a thin rod", "K2b", NULL},
    {"K3", "a knot with more friction", "K3", NULL},
    {"K4", "four knots pulled tight", "K4", "imc"},
    {"K5", "Newton iterations of two contact models", "K5", NULL},
    {"R1", "a ring on an inclined bar", NULL, NULL},
    {"R2", "a ring on a tautochrone", NULL, NULL},
    {"R3", "a ring on a flexible catenary", NULL, NULL},
    {"R4", "a cloth hung by rings", NULL, NULL},
    {"R5", "a net with tethers", NULL, NULL},
    {"S1", "a cylinder pressed between plates", "rubber_cylinder_press", "S1"},
    {"S2", "a masonry arch", "masonry_arch", "S2"},
    {"S3", "a soft-bubble gripper", "soft_gripper", "S3"},
    {"S4", "an interactive hand", "soft_hand", "S4"},
    {"A1", "a soft arm on an inclined box", "A1", "A1"},
    {"A2", "a soft arm between two spheres", "A2", NULL},
    {"A3", "an ablation of the solver of soft arms", "A3", NULL},
    {"A4", "a ball turned by a soft arm", "ball_turn", "A4"},
};

const LitheCliExperiment *lithe_cli_experiment(const char *name) {
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++)
        if (strcasecmp(experiments[i].name, name) == 0)
            return &experiments[i];
    return NULL;
}
