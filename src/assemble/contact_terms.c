// SPDX-License-Identifier: Apache-2.0
// assemble/contact_terms.c - contacts become couplings

#include "assemble/assemble.h"

#include "base/memory.h"
#include "body/unit.h"
#include "law/stiffening.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

// time of the Jacobian of a contact, and of its law [ns]
#define SET_COST 450
#define LAW_COST 350

// two directions that make a right-handed frame with n
static void tangents(Vec3 n, Vec3 *a, Vec3 *b) {
    Vec3 axis = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    *a = v3_unit(v3_cross(axis, n));
    *b = v3_cross(n, *a);
}

static int32_t row_count_of(const LitheContact *contact) {
    return 3 + (contact->torsional > 0) + 2 * (contact->rolling > 0);
}

// Directions of the rows of a contact, whose `linear` has room for them. Contacts with three rows
// share those of the contact before, if its normal is the same.
static void set_rows(const LitheContact *contact, const LitheCoupling *before, LitheCoupling *c) {
    Vec3 n = contact->normal;
    int32_t rows = c->term.rows;
    c->angular = lithe_no_rows;
    if (rows == 3 && before && before->term.rows == 3 &&
        memcmp(&n, &before->linear[2], sizeof n) == 0) {
        c->linear = before->linear;
        return;
    }
    tangents(n, &c->linear[0], &c->linear[1]);
    c->linear[2] = n;
    if (rows == 3)
        return;
    Vec3 *angular = c->linear + rows;
    memset(c->linear + 3, 0, (size_t)rows * sizeof n); // with the first three of `angular`
    if (contact->torsional > 0)
        angular[3] = n;
    if (contact->rolling > 0) {
        angular[rows - 2] = c->linear[0];
        angular[rows - 1] = c->linear[1];
    }
    c->angular = angular;
}

// where the sides overlap, both use the same point, so that friction adds no net torque (V20)
static void sites_of(const LitheContacts *contacts, int32_t index, LitheSite sites[2]) {
    const LitheContact *contact = &contacts->contacts[index];
    double half = contact->gap > 0 ? 0.5 * contact->gap : 0;
    for (int k = 0; k < 2; k++) {
        sites[k] = contacts->parts[index].site[k];
        sites[k].point = v3_axpy(k == 0 ? -half : half, contact->normal, contact->point);
    }
}

// Midpoint rule: both sides use the same point at the middle of the step, even across a gap, so
// that contact forces add no net torque.
static void middle_sites_of(const LitheAssembly *all, int32_t index, LitheSite sites[2]) {
    const LitheState *seen = all->work->outcome.ahead ? all->work->seen : all->state;
    Vec3 sum = v3(0, 0, 0);
    sites_of(all->contacts, index, sites);
    for (int k = 0; k < 2; k++)
        sum = v3_add(sum, lithe_site_carried(all->model, seen, all->work->middle, &sites[k],
                                             sites[k].point));
    sites[0].point = sites[1].point = v3_scale(0.5, sum);
}

// --- couplings -----------------------------------------------------------------------------------

typedef struct Contacts {
    const LitheAssembly *all;
    LitheSystem *system;
    double fraction; // of the stick speed that friction uses
    bool rolls;      // normal velocities of patches are known: law->speed
} Contacts;

// number of velocities that a side of a contact depends on; 0 for a side that cannot move
static int32_t width_of(const LitheModel *model, const LitheSite *site) {
    return site->unit < 0 ? 0 : model->units[site->unit].site_width;
}

// most nodes that a contact touches
static int32_t nodes_of(const LitheModel *model, const LitheSite *sites) {
    int32_t nodes = 0;
    for (int k = 0; k < 2; k++)
        nodes += sites[k].unit < 0 ? 0 : model->units[sites[k].unit].site_nodes;
    return nodes;
}

static bool holds(const LitheWork *work, const LitheSite *site) {
    return site->unit >= 0 && work->units[site->unit].any_held;
}

// Lists the contacts that are solved: sets the contact of each coupling, and where its blocks of
// the Jacobian, its nodes and its rows begin. Returns the end of all blocks; -1 when there are too
// many.
static int64_t list_contacts(const LitheAssembly *all, LitheSystem *system) {
    int64_t end = 0;
    int32_t *place = system->places;
    Vec3 *row = system->rows;
    for (int32_t i = 0; i < all->model->unit_count; i++) {
        LitheUnitWork *own = &all->work->units[i];
        own->any_held = own->dof_count > 0 && memchr(own->held, 1, (size_t)own->dof_count);
    }
    for (int32_t i = 0; i < all->contacts->count; i++) {
        const LitheContact *contact = &all->contacts->contacts[i];
        const LitheSite *sites = all->contacts->parts[i].site;
        int32_t width = width_of(all->model, &sites[0]) + width_of(all->model, &sites[1]);
        if (width == 0)
            continue; // neither side can ever move
        LitheCoupling *c = &system->couplings[system->coupling_count++];
        c->index = i;
        bool held = holds(all->work, &sites[0]) || holds(all->work, &sites[1]);
        int32_t rows = row_count_of(contact), nodes = nodes_of(all->model, sites);
        int64_t size = (int64_t)width * rows;
        c->node = place;
        c->jacobian_at = place + nodes;
        c->linear = row;
        place += 2 * nodes;
        row += rows == 3 ? 3 : 2 * rows;
        c->jacobian_at[0] = (int32_t)end;
        c->held_at = held ? system->held_count : -1;
        end += size;
        if (end > INT32_MAX)
            return -1;
        system->held_count += held ? (int32_t)size : 0;
    }
    system->place_count = (int32_t)(place - system->places);
    system->row_count = (int32_t)(row - system->rows);
    return end;
}

// whether nodes of a side are carried by another unit, whose DoFs may be held
static bool is_carried(const LitheModel *model, const LitheSite *site) {
    return site->unit >= 0 && model->units[site->unit].rider_of;
}

// the blocks of both sides, from jacobian[end] on; false: a DoF is held and has no room
static bool fill_sides(const LitheAssembly *all, const LitheSystem *system,
                       const LitheSite sites[2], LitheCoupling *c, int32_t end, double *blocks) {
    c->node_count = 0;
    return lithe_coupling_fill(all, system, &sites[0], -1, c, &end, blocks) &&
           lithe_coupling_fill(all, system, &sites[1], 1, c, &end, blocks);
}

static void set_contacts(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Contacts *job = user;
    LitheSystem *system = job->system;
    double *blocks =
        system->site_blocks + (ptrdiff_t)LITHE_COUPLED_ROWS * job->all->model->site_width * range;
    (void)sums;
    LitheAssembly place = *job->all;
    bool middle = lithe_has_middle(place.plan);
    if (middle)
        place.state = place.work->middle;
    for (int32_t i = first; i < after; i++) {
        LitheCoupling *c = &system->couplings[i];
        int32_t index = c->index, end = c->jacobian_at[0], held_at = c->held_at;
        const LitheContact *contact = &job->all->contacts->contacts[index];
        LitheSite sites[2];
        lithe_coupling_set(c, LITHE_SOURCE_CONTACT, index, row_count_of(contact));
        set_rows(contact, i > first ? c - 1 : NULL, c);
        c->in_patch = contact->area > 0;
        if (middle)
            middle_sites_of(job->all, index, sites);
        else
            sites_of(job->all->contacts, index, sites);
        // most units with held DoFs have them elsewhere
        if (is_carried(place.model, &sites[0]) || is_carried(place.model, &sites[1]))
            c->held_at = held_at;
        if (!fill_sides(&place, system, sites, c, end, blocks)) {
            c->held_at = held_at;
            fill_sides(&place, system, sites, c, end, blocks);
        }
    }
}

// --- slips of static steps -----------------------------------------------------------------------
// A static step has no velocity: friction opposes the displacement since the contact closed in this
// search, (Q9). This displacement is added to the bias of the sliding and angular rows of the
// coupling.

static Pose place_of(const LitheAssembly *all, const LitheSite *site) {
    if (site->unit < 0)
        return pose_identity();
    return lithe_unit_ops(all->model, site->unit)->place(all->model, all->state, site, 0);
}

// the anchor of a contact, or NULL; anchors are sorted by id
static const LitheStickAnchor *anchor_of(const LitheStickAnchor *anchors, int32_t count,
                                         uint64_t id) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (anchors[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && anchors[low].id == id ? &anchors[low] : NULL;
}

// a contact that opened by less than this fraction of the margin of the search keeps its anchor: a
// search opens and closes contacts many times
#define OPENED 0.1

// Keeps the anchors of contacts that are still closed, and adds those of contacts that closed.
static bool update_anchors(const LitheAssembly *all, LitheSystem *s) {
    int32_t count = s->anchor_count, added = 0;
    int64_t room = (int64_t)count + all->contacts->count;
    if (!LITHE_RESERVE(s->context, s->anchors, s->anchor_capacity, room))
        return false;
    LitheStickAnchor *next = s->anchors + count;
    for (int32_t i = 0; i < all->contacts->count; i++) {
        const LitheContact *contact = &all->contacts->contacts[i];
        const LitheStickAnchor *old = anchor_of(s->anchors, count, contact->id);
        if (!(contact->gap <= (old ? OPENED * all->work->outcome.margin : 0)))
            continue;
        LitheStickAnchor *anchor = &next[added++];
        if (old) {
            *anchor = *old;
            continue;
        }
        *anchor = (LitheStickAnchor){.id = contact->id};
        if (s->on_path)
            lithe_contact_stuck(all, contact, anchor->stuck);
        for (int k = 0; k < 2; k++) {
            anchor->site[k] = all->contacts->parts[i].site[k];
            anchor->place[k] = place_of(all, &anchor->site[k]);
        }
    }
    if (added > 0)
        memmove(s->anchors, next, (size_t)added * sizeof *next);
    s->anchor_count = added;
    return true;
}

static void add_slip(const LitheAssembly *all, const LitheContact *contact,
                     const LitheStickAnchor *anchor, LitheCoupling *c) {
    Vec3 slip = anchor->stuck[0], turn = anchor->stuck[1];
    for (int k = 0; k < 2; k++) {
        Pose now = place_of(all, &anchor->site[k]), then = anchor->place[k];
        double sign = k == 0 ? -1 : 1;
        Vec3 was = pose_point(then, pose_point(pose_inverse(now), contact->point));
        slip = v3_axpy(sign, v3_sub(contact->point, was), slip);
        turn = v3_axpy(sign, q4_log(q4_mul(now.rotation, q4_conj(then.rotation))), turn);
    }
    for (int32_t row = 0; row < c->term.rows; row++)
        if (row != 2)
            c->bias[row] += v3_dot(c->linear[row], slip) + v3_dot(c->angular[row], turn);
}

static bool add_slips(const LitheAssembly *all, LitheSystem *system) {
    if (!system->anchors_fixed && !update_anchors(all, system))
        return false;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        const LitheContact *contact = &all->contacts->contacts[c->index];
        const LitheStickAnchor *anchor =
            anchor_of(system->anchors, system->anchor_count, contact->id);
        if (anchor)
            add_slip(all, contact, anchor, c);
    }
    return true;
}

// --- all of them ---------------------------------------------------------------------------------

bool lithe_assemble_contacts(const LitheAssembly *all, LitheSystem *system) {
    Contacts job = {.all = all, .system = system};
    int32_t count = all->contacts->count;
    int64_t ranges = lithe_range_count(count, LITHE_COUPLINGS_PER_RANGE);
    double none[LITHE_RANGE_SUMS];
    if (!LITHE_RESERVE(system->context, system->couplings, system->coupling_capacity, count) ||
        !LITHE_RESERVE(system->context, system->partial, system->partial_capacity,
                       LITHE_RANGE_SUMS * ranges) ||
        !LITHE_RESERVE(system->context, system->site_blocks, system->site_capacity,
                       ranges * LITHE_COUPLED_ROWS * all->model->site_width))
        return false;
    int64_t places = 0, rows = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t own = row_count_of(&all->contacts->contacts[i]);
        places += 2 * nodes_of(all->model, all->contacts->parts[i].site);
        rows += own == 3 ? 3 : 2 * own;
    }
    if (!lithe_coupling_reserve(system, places, rows))
        return false;
    int64_t end = list_contacts(all, system);
    if (end < 0 ||
        !LITHE_RESERVE(system->context, system->jacobian, system->jacobian_capacity, end) ||
        !LITHE_RESERVE(system->context, system->jacobian_held, system->jacobian_held_capacity,
                       system->held_count))
        return false;
    lithe_pool_ranges(system->pool, system->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      SET_COST * system->coupling_count, set_contacts, &job, system->partial, none);
    system->jacobian_count = (int32_t)end;
    return !all->plan->still || add_slips(all, system);
}

// --- laws ----------------------------------------------------------------------------------------

static const LitheTermKind laws[] = {
    [LITHE_FRICTION_LAGGED] = LITHE_TERM_LAGGED,
    [LITHE_FRICTION_SAP] = LITHE_TERM_SAP,
    [LITHE_FRICTION_SIMILAR] = LITHE_TERM_SIMILAR,
};

// The stick speed of a step is STILL times the largest speed at any contact, but at most the stick
// speed of the scene and at least MIN_FRACTION of that. With a larger fraction, objects at rest
// would creep for minutes; with a smaller one, moving objects would need more iterations.
#define STILL 0.01
#define MIN_FRACTION 1e-4
// min fraction of sigma. With the default sigma the Hessian of friction is then 1e8 times the
// inertia, so that half of the digits of double precision are left.
#define MIN_SIGMA 0.01

// (V31): the fraction of the stick speed that friction uses in this step; 1 where nothing touches
static double stick_fraction(const LitheAssembly *all, const LitheSystem *system) {
    double moves = all->model->contact.stick_speed / STILL, fastest = MIN_FRACTION * moves;
    bool touches = false;
    for (int32_t i = 0; i < system->coupling_count && fastest < moves; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        double motion = lithe_coupling_motion(all, system, c, 3);
        fastest = motion > fastest ? motion : fastest;
        touches = true;
    }
    return touches ? fmin(fastest / moves, 1) : 1;
}

// smallest slip at which friction is 71 % of its bound [m or rad]
#define STATIC_SLIP 1e-13

// (Q8): no dissipation, the stiffness of the contact, friction that depends on displacements
static void set_static(const LitheContact *contact, double stick, LitheContactStart *start,
                       LitheTerm *term) {
    LitheContactSetting setting = {.v_s = STATIC_SLIP, .w_s = STATIC_SLIP, .beta = 0.01};
    if (isfinite(start->k))
        setting.beta = 0;
    start->d = start->v_n = 0;
    lithe_term_contact(term, LITHE_TERM_LAGGED, &setting, 1, start);
    double arm = fmax(contact->torsional, contact->rolling);
    term->yield = 1 / (stick * term->k);
    term->yield_angular = arm > 0 ? term->yield / (arm * arm) : 0;
    lithe_term_lag(term, term->n0);
}

static void set_laws(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Contacts *job = user;
    const LitheAssembly *all = job->all;
    const LitheContactDef *def = &all->model->contact;
    LitheContactSetting setting = lithe_contact_setting_default();
    (void)range, (void)sums;
    double soften = lithe_plan_soften(all->plan); // (V32)
    setting.v_s = soften * job->fraction * def->stick_speed;
    setting.w_s *= soften * job->fraction;
    setting.sigma = soften * fmax(job->fraction, MIN_SIGMA) * def->sigma;
    setting.beta = sqrt(soften) * def->beta;
    for (int32_t i = first; i < after; i++) {
        LitheCoupling *c = &job->system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContact *contact = &all->contacts->contacts[c->index];
        LitheContactLaw *law = &job->system->contact_laws[c->index];
        int32_t angular_rows = c->term.rows - 3;
        double k = law->stiffness, gap = law->gap, h = all->plan->h, d = contact->dissipation;
        double force = law->force + law->rolled;
        double w = lithe_coupling_scale(job->system, c, 0, 3);
        double v_n =
            job->rolls && law->patch ? law->speed : lithe_coupling_speed(all, job->system, c, 2);
        if (all->work->outcome.ahead) { // from the predicted configuration to that at the start
            gap -= all->plan->a * h * v_n;
            force += k * all->plan->a * h * v_n; // (PF19)
        }
        law->start = gap;
        law->stiffened |= lithe_stiffen(law->room, h, w, -v_n, &k, &gap, &d);
        LitheContactStart start = {
            .k = law->weight * k,
            .d = d,
            .phi0 = gap,
            .patch = law->patch,
            .f0 = law->weight * force,
            .mu = contact->friction,
            .torsion = contact->torsional,
            .roll = contact->rolling,
            .w = w,
            .w_angular =
                angular_rows > 0 ? lithe_coupling_scale(job->system, c, 3, angular_rows) : 0,
            .v_n = v_n,
        };
        c->weight = law->weight;
        if (all->plan->still)
            set_static(contact, job->system->on_path ? LITHE_PATH_STICK : LITHE_STATIC_STICK,
                       &start, &c->term);
        else
            lithe_term_contact(&c->term, laws[def->law], &setting, h, &start);
    }
}

void lithe_contact_laws(const LitheAssembly *all, LitheSystem *system) {
    Contacts job = {.all = all, .system = system, .fraction = stick_fraction(all, system)};
    double none[LITHE_RANGE_SUMS];
    system->stick_fraction = job.fraction;
    job.rolls = lithe_patches_roll(all, system);
    lithe_pool_ranges(system->pool, system->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      LAW_COST * system->coupling_count, set_laws, &job, system->partial, none);
    lithe_contacts_recall(all, system);
}
