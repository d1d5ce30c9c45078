// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_grasp.c - soft things that are grasped and shaken: a teddy by soft
// bubbles, a ball by a hand
//
// Han, Masterjohn and Castro, A convex formulation of frictional contact between rigid and
// deformable bodies, 2023, section VII. The slip of a grasp is the speed at which its contact
// points slide, as a mean weighted by their normal forces, summed over time.

#include "cli/validate/validate.h"

#include <string.h>

// How a thing is held, from `since` to `until`.
typedef struct Grasp {
    const char *scene, *held;
    const char *holder;  // names of the things that hold it begin with this
    double since, until; // s
} Grasp;

typedef struct Hold {
    double slip;   // summed over time [m]
    double sway;   // range of the height of the held solid [m]
    double least;  // least sum of the normal forces of the contact points [N]
    double height; // of its mean at the end of the scene [m]
    double depth;  // of the deepest overlap of the contact points, in the whole scene [m]
    int32_t poor;  // steps of the whole scene that did not converge
    int32_t inverted;
} Hold;

static bool begins_with(const LitheModel *model, LitheThing thing, const char *text) {
    const char *name = lithe_thing_name(model, thing);
    return name && strncmp(name, text, strlen(text)) == 0;
}

// mean height of the nodes of a solid [m]
static double height_of(const LitheStand *stand, const char *name) {
    LitheSolidId id = lithe_solid_find(stand->model, name);
    const double *x = lithe_solid_position(stand->model, stand->state, id);
    int32_t count = lithe_solid_node_count(stand->model, id);
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += x[3 * i + 2] / count;
    return sum;
}

// sliding speed of the contacts that hold the thing, weighted by their normal forces [m/s]; `depth`
// becomes the deepest overlap so far
static double slide_of(const LitheStand *stand, const Grasp *grasp, double *force, double *depth) {
    double sum = 0;
    *force = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        LitheThing a = c.contact.a.thing, b = c.contact.b.thing;
        bool holds = (begins_with(stand->model, a, grasp->held) &&
                      begins_with(stand->model, b, grasp->holder)) ||
                     (begins_with(stand->model, b, grasp->held) &&
                      begins_with(stand->model, a, grasp->holder));
        if (!holds)
            continue;
        sum += c.normal * c.slip;
        *force += c.normal;
        *depth = fmax(*depth, -c.contact.gap);
    }
    return *force > 0 ? sum / *force : 0;
}

static bool watch(LitheTrial *trial, const Grasp *grasp, double end, Hold *out) {
    LitheStand stand;
    bool ok = lithe_stand_load(trial, &stand, grasp->scene, NULL, 0);
    double low = INFINITY, high = -INFINITY, before = 0;
    *out = (Hold){.least = INFINITY};
    while (ok && lithe_state_time(stand.state) < end - 1e-9) {
        LitheReport report;
        ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) == LITHE_OK;
        if (!ok)
            break;
        double force, now = lithe_state_time(stand.state);
        double speed = slide_of(&stand, grasp, &force, &out->depth);
        out->poor += report.bodies_unconverged > 0 || report.solve_unconverged;
        out->inverted += report.inverted;
        out->height = height_of(&stand, grasp->held);
        if (now > grasp->since && now < grasp->until) {
            out->slip += speed * (now - before);
            out->least = fmin(out->least, force);
            low = fmin(low, out->height);
            high = fmax(high, out->height);
        }
        before = now;
    }
    out->sway = high - low;
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_soft_gripper(LitheTrial *trial) {
    // shaken from 2.8 s on; put down at 7 s
    static const Grasp grasp = {"gripper", "teddy", "bubble", 3.8, 5.8};
    Hold hold;
    return watch(trial, &grasp, 9, &hold) &&
           lithe_trial_add(trial, at_most(hold.slip, 1e-3), "slip_after_a_second_of_shaking [m]") &&
           lithe_trial_add(trial, at_most(hold.poor, 0), "steps_that_did_not_converge") &&
           lithe_trial_add(trial, at_most(hold.inverted, 0), "inverted_elements") &&
           lithe_trial_add(trial, near_to(hold.height, 0.0609, 0.02), "height_when_put_down [m]") &&
           lithe_trial_add(trial, reported(hold.sway), "height_of_shaking [m]") &&
           lithe_trial_add(trial, reported(hold.least), "least_sum_of_normal_forces [N]");
}

bool lithe_case_soft_hand(LitheTrial *trial) {
    // shaken from 4 s on, and released after 7.2 s
    static const Grasp grasp = {"hand", "ball", "arm/", 5, 7};
    Hold hold;
    return watch(trial, &grasp, 7.1, &hold) &&
           lithe_trial_add(trial, at_most(hold.slip, 2e-3), "slip_after_a_second_of_shaking [m]") &&
           lithe_trial_add(trial, at_most(hold.poor, 0), "steps_that_did_not_converge") &&
           lithe_trial_add(trial, at_most(hold.inverted, 0), "inverted_elements") &&
           lithe_trial_add(trial, at_most(hold.depth, 1.7e-3), "deepest_overlap [m]") &&
           lithe_trial_add(trial, reported(hold.height), "height_when_shaken [m]") &&
           lithe_trial_add(trial, reported(hold.sway), "height_of_shaking [m]") &&
           lithe_trial_add(trial, reported(hold.least), "least_sum_of_normal_forces [N]");
}
