// SPDX-License-Identifier: Apache-2.0
// cli/validate/validate.c - lithe validate: runs the cases of the physical validation suite

#include "cli/validate/validate.h"
#include "cli/cli.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/suggest.h"

#include <string.h>

static const LitheCase cases[] = {
    {"rod_tip_load", "Cantilever with a dead load at its tip",
     "Bisshopp and Drucker 1945; elliptic integrals", lithe_case_rod_tip_load},
    {"rod_heavy_cantilever", "Cantilever under its own weight: master curve",
     "Romero et al. 2021; theta'' = -Gamma (1 - s) cos theta", lithe_case_rod_heavy_cantilever},
    {"rod_rollup", "Cantilever rolled into circles by an end moment", "closed form",
     lithe_case_rod_rollup},
    {"rod_euler_loads", "Loads at which straight rods lose their stability", "Euler",
     lithe_case_rod_euler_loads},
    {"rod_postbuckle_pinned", "Pinned rod shortened far beyond buckling",
     "elastica: Timoshenko and Gere", lithe_case_rod_postbuckle_pinned},
    {"rod_michell_ring", "Twist at which a ring leaves its plane",
     "Michell 1889, Zajac 1962: 2 pi sqrt(3) B/C", lithe_case_rod_michell_ring},
    {"rod_helical_buckling", "Localised helical buckle of a twisted, shortened rod",
     "van der Heijden, Neukirch, Goss and Thompson 2003", lithe_case_rod_helical_buckling},
    {"rod_catenary", "Rope hanging from two points", "closed form", lithe_case_rod_catenary},
    {"cable_wave", "Power cable of measured stiffnesses in a tank",
     "measured: Holcombe et al. 2025", lithe_case_cable_wave},
    {"rod_cantilever_freq", "Natural frequencies of a cantilever", "Euler-Bernoulli beam",
     lithe_case_rod_cantilever_freq},
    {"rope_pendulum", "Small oscillations of a hanging rope", "Bernoulli: zeros of J0",
     lithe_case_rope_pendulum},
    {"free_rod_momentum", "Momentum and angular momentum of a free rod", "conservation laws",
     lithe_case_free_rod_momentum},
    {"rod_energy", "Energy of swinging, shaken and damped rods", "conservation of energy",
     lithe_case_rod_energy},
    {"capstan", "A rope slips round a post", "Euler and Eytelwein; docs/theory/capstan.md",
     lithe_case_capstan},
    {"capstan_static", "A rope slips round a post, in static load steps",
     "Euler and Eytelwein; docs/theory/capstan.md", lithe_case_capstan_static},
    {"capstan_soft", "A rope slips round a soft drum",
     "Euler and Eytelwein; docs/theory/capstan.md", lithe_case_capstan_soft},
    {"statics_ladder", "A load climbs a ladder until it slips, in static load steps",
     "closed form: moments about its foot", lithe_case_statics_ladder},
    {"statics_rest", "Logs, a rope over a bar, an arm on a cable, a net: at rest by static steps",
     "closed form: weights and levers", lithe_case_statics_rest},
    {"statics_modes", "Modes of a cantilever with a body at its tip, and of a beam on contacts",
     "Euler-Bernoulli beam", lithe_case_statics_modes},
    {"statics_snap", "Bars and an arch followed through snap-through by arc length",
     "closed form (von Mises); the same arch by displacements", lithe_case_statics_snap},
    {"capstan_filament", "A rope of 2 mm round a post",
     "Euler and Eytelwein; docs/theory/capstan.md", lithe_case_capstan_filament},
    {"capstan_patches", "A rope of 2 mm round a post, contact by pressure fields",
     "Euler and Eytelwein; docs/theory/capstan.md", lithe_case_capstan_patches},
    {"crowned_pulley", "A belt finds the middle of a crowned pulley",
     "a belt that sticks; docs/theory/patches.md", lithe_case_crowned_pulley},
    {"belt_ablations", "The belt without stretch, twist or patches, and as a volumetric solid",
     "the whole belt climbs; the others as they come out", lithe_case_belt_ablations},
    {"belt_drive", "A belt drive under load: creep, and slip beyond the limit of its grip",
     "closed form: stretches of both spans; Euler and Eytelwein", lithe_case_belt_drive},
    {"pinched_lace", "Two pads pinch a lace for a minute", "the force of the fingers; no creep",
     lithe_case_pinched_lace},
    {"entangling_gripper", "Twelve filaments entangle a workpiece and carry it",
     "independent check of crossings; weight", lithe_case_entangling_gripper},
    {"entangling_gripper_quick", "The same with 41 nodes a filament, until they have curled",
     "independent check of crossings; weight", lithe_case_entangling_gripper_quick},
    {"shoelace", "Two hands tie a shoelace, by patches and by points",
     "determinants of a bow; independent check of crossings", lithe_case_shoelace},
    {"soft_pads", "Two soft pads lift a rod beside its middle and hold it",
     "the force of the fingers; no creep", lithe_case_soft_pads},
    {"free_fall_order", "Free fall: error of each scheme", "closed form: g t h/2",
     lithe_case_free_fall_order},
    {"double_pendulum", "Double pendulum, released from horizontal",
     "Lagrange's equations by Runge-Kutta", lithe_case_double_pendulum},
    {"dzhanibekov", "A free body rotating about its middle axis turns over",
     "Landau and Lifshitz: elliptic period; Euler's equations", lithe_case_dzhanibekov},
    {"pcc_kinematics", "A section of constant curvature: tip from elongations of its chambers",
     "closed form: Webster and Jones", lithe_case_pcc_kinematics},
    {"ball_turn", "A soft arm turns a ball by 90 degrees: plans through contact about three axes",
     "equations and complementarity of the plans", lithe_case_ball_turn},
    {"ball_turn_starts", "The plan about x from other starts: without kinematics, without homotopy",
     "none: costs and iterations are reported", lithe_case_ball_turn_starts},
    {"ball_turn_solvers", "Plans by the own method and by IPOPT from one cold start",
     "each other; stationarity by an independent check", lithe_case_ball_turn_solvers},
    {"ball_replan", "A soft arm turns a ball in a simulation, replanned in every step; knocked",
     "the target", lithe_case_ball_replan},
    {"ball_playback", "Efforts of a plan in a simulation: steps halved twice; with a regulator",
     "the plan; the target", lithe_case_ball_playback},
    {"box_turn", "Two fingers turn a box over its edge by 90 degrees: plan and simulations",
     "the target; complementarity", lithe_case_box_turn},
    {"pcc_static_pressure", "A section of constant curvature at rest under a pressure",
     "closed form: force over stiffness", lithe_case_pcc_static_pressure},
    {"lcp_friction", "Blocks under contact model lcp: stick, slide, friction by directions",
     "Coulomb's law, error of polyhedral friction", lithe_case_lcp_friction},
    {"lcp_problems", "Complementarity problems of soft arms, and problems without a solution",
     "two methods, independent check", lithe_case_lcp_problems},
    {"arm_lcp_convex", "A soft arm pressed on a plane and a sphere under lcp and convex",
     "comparison of the two models", lithe_case_arm_lcp_convex},
    {"arm_as_rod", "A soft arm of more and more sections bends as a rod", "elastica, integrated",
     lithe_case_arm_as_rod},
    {"A1", "A soft arm on an inclined box, lcp", "prototype of the same equations", lithe_case_A1},
    {"A2", "A soft arm between two spheres, lcp", "every step solved, no penetration",
     lithe_case_A2},
    {"A3", "Stages of conditioning switched off one by one, lcp",
     "published: 100 % with all of them", lithe_case_A3},
    {"incline_threshold", "Block on an incline: sticks, creeps, slides", "Coulomb's law",
     lithe_case_incline_threshold},
    {"slide_stop", "Block slides to rest, in all directions", "closed form: v^2/(2 mu g)",
     lithe_case_slide_stop},
    {"crossed_rods", "Rod slides across two others", "Coulomb's law", lithe_case_crossed_rods},
    {"pinch_hold", "Two plates hold a rod for a minute", "no creep", lithe_case_pinch_hold},
    {"billiard_slide_roll", "Sphere slides, then rolls", "closed form: 5/7 of its speed",
     lithe_case_billiard_slide_roll},
    {"rolling_incline", "Sphere, cylinder, hoop and rod roll down an incline",
     "closed form: g sin/(1 + I/(m r^2))", lithe_case_rolling_incline},
    {"momentum_conservation", "Rods and bodies collide in space", "conservation laws",
     lithe_case_momentum_conservation},
    {"chain_of_rings", "A chain of rings comes to rest and stays at rest for a minute",
     "no drift, no energy", lithe_case_chain_of_rings},
    {"long_rest_10min", "A chain of rings rests for ten minutes, with adaptive steps",
     "no drift, no energy", lithe_case_long_rest},
    {"knot_tightening", "Overhand knots are pulled tight, the loop snaps through",
     "topology: no crossing, determinant 2n + 1", lithe_case_knot_tightening},
    {"K1", "A knot pulled at three speeds, imc", "Coulomb's law", lithe_case_K1},
    {"K2a", "A knot tightened and loosened, imc", "Audoly et al. 2007, leading order",
     lithe_case_K2a},
    {"K2b", "A knot in a thin rod tightened, imc", "Audoly et al. 2007, leading order",
     lithe_case_K2b},
    {"K3", "More friction, more pull, imc", "Choi et al. 2021", lithe_case_K3},
    {"K4", "Four knots pulled tight, imc", "Choi et al. 2021: gaps of -5 to 20 um", lithe_case_K4},
    {"K5", "Newton iterations of imc and spt", "Choi et al. 2021", lithe_case_K5},
    {"knot_models", "The same knots under imc and convex", "comparison of the two models",
     lithe_case_knot_models},
    {"no_tunnelling", "Fast rods, a thin plate, a knot pulled fast, chain mail that falls",
     "independent check: nothing passes through", lithe_case_no_tunnelling},
    {"particle_incline", "Particle on an incline: sticks, slides, does not roll", "Coulomb's law",
     lithe_case_particle_incline},
    {"particle_collision", "Particles fall and collide",
     "closed form; Hunt and Crossley's law, integrated", lithe_case_particle_collision},
    {"bead_on_rod", "Cantilever with a bead at its tip", "closed form: m g L^3/(3 EI)",
     lithe_case_bead_on_rod},
    {"bead_catenary", "Chain of beads hangs from two points",
     "equal horizontal tension, solved separately", lithe_case_bead_catenary},
    {"particle_cloud", "Particles collide in space", "conservation laws",
     lithe_case_particle_cloud},
    {"funnel", "Grains run through a funnel, heap up and rest", "no drift, no energy",
     lithe_case_funnel},
    {"cook_membrane", "Cook's membrane: a tapered panel is sheared, plane strain",
     "biquadratic elements, solved separately", lithe_case_cook_membrane},
    {"fem_bar_selfweight", "Soft bar hangs under its own weight", "closed form: rho g L^2/(2 E)",
     lithe_case_fem_bar_selfweight},
    {"fem_cantilever", "Soft cantilever with a small load at its tip", "Timoshenko's beam",
     lithe_case_fem_cantilever},
    {"fem_patch", "Soft block under uniform strain: nodes inside follow", "closed form: x = F X",
     lithe_case_fem_patch},
    {"fem_uniaxial_large", "Soft cube stretched and compressed", "closed form",
     lithe_case_fem_uniaxial_large},
    {"solid_spin", "Soft cube that spins freely", "closed form: 1/sqrt(1 + 2 omega^2 h t)",
     lithe_case_solid_spin},
    {"solid_frequencies", "Soft bar vibrates along and across, both masses",
     "closed form: pi/2 sqrt(E/rho)/L; Timoshenko", lithe_case_solid_frequencies},
    {"solid_torsion", "Square soft column is twisted", "Saint-Venant", lithe_case_solid_torsion},
    {"solid_sizes", "Six soft bodies of which nothing is said but the size of their mesh",
     "closed forms; Sussman and Bathe (1987)", lithe_case_solid_sizes},
    {"solid_sizes_quick", "The quick ones of these soft bodies", "closed forms; Mindlin",
     lithe_case_solid_sizes_quick},
    {"solid_tube", "Thick tube under inner pressure, plane strain", "Lame", lithe_case_solid_tube},
    {"solid_sphere", "Thick hollow sphere under inner pressure", "Lame", lithe_case_solid_sphere},
    {"solid_buckling", "Soft column under a load on its head", "Euler: pi^2 E I/(4 L^2)",
     lithe_case_solid_buckling},
    {"surface_squeeze", "Ten closed surfaces are filled with tetrahedra and squeezed",
     "divergence theorem; no inversion", lithe_case_surface_squeeze},
    {"solid_rest", "A soft block on 4, 40 and 400 vertices rests on a shape and on a solid",
     "closed form: weight, pressure over stiffness", lithe_case_solid_rest},
    {"solid_incline", "A soft block on an incline sticks and slides", "Coulomb's law",
     lithe_case_solid_incline},
    {"hertz_spheres", "Two soft spheres pressed together: radius of contact", "Hertz 1882",
     lithe_case_hertz_spheres},
    {"hertz_cylinder", "A soft cylinder pressed on a plane: width of contact", "Hertz 1882",
     lithe_case_hertz_cylinder},
    {"blocks_in_series", "Soft blocks of different stiffness on each other under a pressure",
     "closed form: displacements in series", lithe_case_blocks_in_series},
    {"bar_impact", "A soft bar hits a wall: force, duration, rebound",
     "closed form: waves in a bar (Saint-Venant)", lithe_case_bar_impact},
    {"masonry_arch", "An arch of 25 stones stands or falls by friction",
     "limit analysis; Li et al. 2020; Han, Masterjohn and Castro 2023", lithe_case_masonry_arch},
    {"soft_gripper", "Two soft bubbles grasp a teddy, shake it and put it down",
     "no slip; Han, Masterjohn and Castro 2023", lithe_case_soft_gripper},
    {"soft_hand", "An arm with a hand of sixteen joints grasps a soft ball and shakes it",
     "no slip; Han, Masterjohn and Castro 2023", lithe_case_soft_hand},
    {"rubber_cylinder_press", "Rubber cylinder pressed between plates, plane strain",
     "Sussman and Bathe (1987), solved separately", lithe_case_rubber_cylinder_press},
    {"press_in_time", "The same cylinder pressed by a force that grows over 500 s",
     "overlap below 0.1 % of the diameter", lithe_case_press_in_time},
    {"stress_huge_dt", "Steps 10, 100 and 1000 times too long",
     "finite, no crossings, knot unchanged", lithe_case_stress_huge_dt},
    {"stress_tiny_dt", "Ten thousand steps of a nanosecond", "closed form",
     lithe_case_stress_tiny_dt},
    {"stress_stiff_ratio", "Masses 1e6 and stiffnesses 1e8 apart in one stack",
     "closed form: weight over stiffness", lithe_case_stress_stiff_ratio},
    {"stress_initial_penetration", "Overlap at the start, from 1 % to 200 % of a radius",
     "energy of the springs", lithe_case_stress_initial_penetration},
    {"stress_tunnelling", "Ball and cube thrown at a thin plate, cube between walls",
     "nothing passes through", lithe_case_stress_tunnelling},
    {"stress_rank_deficient_contact", "A box on very many contacts", "its weight",
     lithe_case_stress_rank_deficient_contact},
    {"stress_friction_extremes", "Friction of zero, of a million, and on a shaken table",
     "Coulomb's law", lithe_case_stress_friction_extremes},
    {"stress_scale_invariance", "The same scene in other sizes and masses", "dimensional analysis",
     lithe_case_stress_scale_invariance},
    {"stress_rotation_invariance", "The same scene rotated, and far from the origin", "invariance",
     lithe_case_stress_rotation_invariance},
    {"stress_permutation", "The same scene again, in parallel, in another order", "invariance",
     lithe_case_stress_permutation},
    {"stress_symmetry", "A scene that is its own mirror image", "invariance",
     lithe_case_stress_symmetry},
    {"stress_energy_monotone", "Energy of objects that fall and come to rest",
     "backward Euler only loses energy", lithe_case_stress_energy_monotone},
    {"stress_million_steps", "Very many steps of objects at rest", "no drift, no growth",
     lithe_case_stress_million_steps},
    {"stress_solver_fail", "A solver that may iterate only once", "flagged, never silent",
     lithe_case_stress_solver_fail},
    {"stress_nan_mid_run", "A number that is not finite, in the middle of a run",
     "the run stops, names the rod, keeps the state", lithe_case_stress_nan_mid_run},
    {"stress_resource", "Very small and very large scenes", "memory proportional to size",
     lithe_case_stress_resource},
    {"worlds", "Random worlds of rods, bodies, particles, ties and joints",
     "independent checks of energy, momentum, overlaps, ties and joints", lithe_case_worlds},
    {"worlds_long_steps", "Random worlds with steps 10, 100 and 1000 times too long",
     "the same checks", lithe_case_worlds_long_steps},
    {"worlds_schemes", "Random worlds by midpoint and symplectic Euler", "the same checks",
     lithe_case_worlds_schemes},
    {"worlds_mixed", "Random worlds of all kinds, schemes and contact models",
     "independent checks of numbers, energy, crossings, passages and falls",
     lithe_case_worlds_mixed},
    {"worlds_solids", "Random worlds with soft solids: dropped, pressed, twisted, tied round",
     "independent check: nothing passes through or inverts", lithe_case_worlds_solids},
    {"adaptive_knot", "A knot with adaptive steps", "the same with a fixed step of 0.1 ms",
     lithe_case_adaptive_knot},
    {"adaptive_rings", "A chain of rings with adaptive steps",
     "the same with a fixed step of 0.8 ms", lithe_case_adaptive_rings},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

// these run only when named, or with --long
static LitheCaseFn *const slow_cases[] = {lithe_case_ball_turn,
                                          lithe_case_ball_turn_starts,
                                          lithe_case_ball_turn_solvers,
                                          lithe_case_ball_replan,
                                          lithe_case_ball_playback,
                                          lithe_case_box_turn,
                                          lithe_case_rubber_cylinder_press,
                                          lithe_case_press_in_time,
                                          lithe_case_masonry_arch,
                                          lithe_case_soft_gripper,
                                          lithe_case_capstan_soft,
                                          lithe_case_soft_hand,
                                          lithe_case_capstan_filament,
                                          lithe_case_capstan_patches,
                                          lithe_case_crowned_pulley,
                                          lithe_case_belt_ablations,
                                          lithe_case_belt_drive,
                                          lithe_case_pinched_lace,
                                          lithe_case_entangling_gripper,
                                          lithe_case_shoelace,
                                          lithe_case_soft_pads,
                                          lithe_case_chain_of_rings,
                                          lithe_case_knot_tightening,
                                          lithe_case_adaptive_knot,
                                          lithe_case_adaptive_rings,
                                          lithe_case_long_rest,
                                          lithe_case_K1,
                                          lithe_case_K2a,
                                          lithe_case_K2b,
                                          lithe_case_K3,
                                          lithe_case_K4,
                                          lithe_case_K5,
                                          lithe_case_knot_models};

static bool is_slow(const LitheCase *which) {
    for (size_t i = 0; i < sizeof slow_cases / sizeof *slow_cases; i++)
        if (which->run == slow_cases[i])
            return true;
    return false;
}

typedef struct Setup {
    bool chosen[CASES];
    bool some; // false: all cases
    bool json, longer, list;
    const char *folder;
    int64_t first_seed, last_seed; // of random worlds; 0: as the case chooses
} Setup;

// --- cases ---------------------------------------------------------------------------------------

// Marks of a plot over the findings: measured values divided by their references, or errors divided
// by tolerances where all references are zero; and a line at 1.
static bool plot_findings(LitheTrial *trial, bool errors, int32_t *count) {
    enum { MAX = 64 };
    double x[MAX], y[MAX], line_x[2] = {1, 1}, line_y[2] = {1, 1};
    *count = 0;
    for (int32_t i = 0; i < trial->count && *count < MAX; i++) {
        const LitheFinding *f = &trial->findings[i];
        if (f->kind == LITHE_ERROR_REPORTED || (errors ? f->tolerance : f->reference) == 0)
            continue;
        x[*count] = line_x[1] = i + 1;
        y[(*count)++] = errors ? lithe_finding_error(f, f->measured) / f->tolerance
                               : f->measured / f->reference;
    }
    return *count == 0 || (lithe_trial_curve(trial, errors ? "tolerance" : "reference", false,
                                             line_x, line_y, 2) &&
                           lithe_trial_curve(trial, "measured", true, x, y, *count));
}

// The plot of a case that draws none.
static bool plot_ratios(LitheTrial *trial) {
    int32_t count;
    trial->plot.title = "Measured values over their references";
    trial->plot.x_label = "quantity, in the order of the table";
    trial->plot.y_label = "measured/reference";
    if (!plot_findings(trial, false, &count) || count > 0)
        return count > 0;
    trial->plot.title = "Errors over their tolerances";
    trial->plot.y_label = "error/tolerance";
    return plot_findings(trial, true, &count);
}

static void run_case(LitheContext *context, const Setup *setup, const LitheCase *which,
                     LitheTrial *trial) {
    trial->context = context;
    trial->refine = setup->longer ? 4 : 1;
    trial->folder = setup->folder;
    trial->first_seed = setup->first_seed;
    trial->last_seed = setup->last_seed;
    double start = lithe_clock();
    bool ok = which->run(trial) && (trial->plot.curve_count > 0 || plot_ratios(trial));
    if (!ok && trial->error.status == LITHE_OK) {
        trial->error.status = LITHE_NO_MEMORY;
        snprintf(trial->error.text, sizeof trial->error.text, "out of memory");
    }
    trial->seconds = lithe_clock() - start;
}

static void free_trial(LitheTrial *trial) {
    for (int32_t i = 0; i < trial->plot.curve_count; i++)
        lithe_free(trial->context, trial->plot.curves[i].x);
    lithe_free(trial->context, trial->findings);
}

static bool all_passed(const LitheTrial *trial) {
    for (int32_t i = 0; i < trial->count; i++)
        if (trial->findings[i].fails)
            return false;
    return trial->error.status == LITHE_OK && trial->count > 0;
}

// the last line of the table
static void print_sum(const LitheCaseResult *outcomes, int32_t count, const char *folder) {
    int32_t passed = 0, findings = 0, stopped = 0;
    double seconds = 0;
    for (int32_t i = 0; i < count; i++) {
        const LitheTrial *trial = outcomes[i].trial;
        for (int32_t k = 0; k < trial->count; k++) {
            const LitheFinding *f = &trial->findings[k];
            bool counts = f->fails || f->kind != LITHE_ERROR_REPORTED;
            passed += counts && !f->fails;
            findings += counts;
        }
        stopped += trial->error.status != LITHE_OK;
        seconds += trial->seconds;
    }
    printf("%d of %d quantities pass, %d of %d cases stopped, %.1f s; report in "
           "%s/index.html\n",
           passed, findings, stopped, count, seconds, folder);
}

static int run_all(LitheContext *context, const Setup *setup) {
    LitheTrial trials[CASES] = {0};
    LitheCaseResult outcomes[CASES];
    int32_t count = 0;
    bool passed = true;
    for (int32_t i = 0; i < CASES; i++) {
        if (setup->some ? !setup->chosen[i] : is_slow(&cases[i]) && !setup->longer)
            continue;
        outcomes[count] = (LitheCaseResult){&cases[i], &trials[i]};
        run_case(context, setup, &cases[i], &trials[i]);
        if (setup->json)
            lithe_validate_json(&outcomes[count]);
        else
            lithe_validate_table(&outcomes[count]);
        fflush(stdout);
        passed = passed && all_passed(&trials[i]);
        count++;
    }
    LitheError error = {0};
    LitheStatus status = lithe_validate_report(context, setup->folder, outcomes, count, &error);
    if (status == LITHE_OK && !setup->json)
        print_sum(outcomes, count, setup->folder);
    for (int32_t i = 0; i < CASES; i++)
        free_trial(&trials[i]);
    if (status != LITHE_OK)
        return lithe_cli_failed(&error);
    return passed ? LITHE_EXIT_DONE : LITHE_EXIT_CHECK_FAILED;
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_OUT = 'o', KEY_LIST = 'l', KEY_JSON = 1000, KEY_LONG, KEY_SEEDS };

static const struct argp_option options[] = {
    {"list", KEY_LIST, 0, 0, "list the cases and their references", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object per quantity, no table", 0},
    {"long", KEY_LONG, 0, 0, "four times the resolution in space and time, and the slow cases too",
     0},
    {"seeds", KEY_SEEDS, "FROM-TO", 0, "seeds of the cases with random worlds, such as 1-2000", 0},
    {"out", KEY_OUT, "FOLDER", 0, "folder of index.html and the plots (default: validation)", 0},
    {0},
};

// selects a case; ends with a usage error when the name is unknown
static void choose(struct argp_state *state, const char *given) {
    Setup *setup = state->input;
    const LitheCliExperiment *published = lithe_cli_experiment(given);
    const char *names[CASES],
        *name = published && published->validated ? published->validated : given;
    if (published && !published->validated) {
        argp_error(state, "%s, %s, is not in this version: lithe validate --list shows what is",
                   published->name, published->about);
        return;
    }
    for (int32_t i = 0; i < CASES; i++) {
        names[i] = cases[i].name;
        if (strcmp(name, names[i]) == 0) {
            setup->chosen[i] = setup->some = true;
            return;
        }
    }
    const char *meant = lithe_suggest(name, names, CASES);
    if (meant)
        argp_error(state, "no case named '%s': did you mean '%s'?", name, meant);
    else
        argp_error(state, "no case named '%s': lithe validate --list shows all", name);
}

// "7" or "1-2000"
static void choose_seeds(struct argp_state *state, const char *text) {
    Setup *setup = state->input;
    char rest = 0;
    long long first = 0, last = 0;
    int found = sscanf(text, "%lld-%lld%c", &first, &last, &rest);
    if (found == 1 && sscanf(text, "%lld%c", &first, &rest) == 1)
        last = first;
    else if (found != 2)
        last = 0;
    if (first < 1 || last < first || last > 1000000000)
        argp_error(state, "--seeds: '%s' is not a number or a range such as 1-2000", text);
    setup->first_seed = first;
    setup->last_seed = last;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Setup *setup = state->input;
    switch (key) {
    case KEY_LIST:
        setup->list = true;
        return 0;
    case KEY_JSON:
        setup->json = true;
        return 0;
    case KEY_LONG:
        setup->longer = true;
        return 0;
    case KEY_SEEDS:
        choose_seeds(state, text);
        return 0;
    case KEY_OUT:
        lithe_cli_name(state, "--out", text);
        setup->folder = text;
        return 0;
    case ARGP_KEY_ARG:
        choose(state, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_validate(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[CASE...]",
        .doc = "Compare simulations with known solutions: all cases, or the given ones.\v"
               "Each quantity is measured at two resolutions. It passes when its error is inside "
               "the tolerance at both and does not grow from the first to the second. Exit code 1 "
               "when a quantity does not pass.\n\nExample:\n"
               "  lithe validate rod_tip_load rod_michell_ring --out report\n"};
    Setup setup = {.folder = "validation"};
    lithe_cli_parse(&argp, argc, argv, &setup);
    if (setup.list) {
        for (int32_t i = 0; i < CASES; i++)
            printf("%-22s %s (%s)%s\n", cases[i].name, cases[i].title, cases[i].source,
                   is_slow(&cases[i]) ? " [slow: by name or with --long]" : "");
        return LITHE_EXIT_DONE;
    }
    LitheContext *context = lithe_cli_context(false);
    int code = run_all(context, &setup);
    lithe_context_destroy(context);
    return code;
}
