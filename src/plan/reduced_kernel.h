// SPDX-License-Identifier: Apache-2.0
// plan/reduced_kernel.h - factor and solution with equations solved for variables, on vectors of
// STAGE_WIDTH numbers
//
// Includers define STAGE_WIDTH, STAGE_TARGET and REDUCED_TABLE.

#include "plan/reduced.h"
#include "plan/stage_block.h"

// an own variable whose coefficient is smaller cannot be found from its equation
#define REDUCED_TINY 1e-12

STAGE_FN double *own_of(const LitheReduced *r, int32_t stage) {
    return r->own + (int64_t)stage * r->pairs * r->pairs;
}

STAGE_FN double *solved_of(const LitheReduced *r, int32_t stage) {
    return r->solved + (int64_t)stage * r->pairs * r->width;
}

STAGE_FN double *turned_of(const LitheReduced *r, int32_t stage) {
    return r->turned + (int64_t)stage * r->pairs * r->width;
}

// second derivatives of a stage: its own, those of inequalities, and U of the next one
STAGE_FN void fill_second(LitheReduced *r, const LitheReducedInput *in, int32_t stage) {
    int64_t p = r->pairs, w = r->width, k = stage;
    double *to = r->second;
    memset(to, 0, (size_t)(p * p + p * w + w * w) * sizeof *to);
    if (in->hessian != NULL) {
        const double *from = in->hessian + k * r->hessian;
        for (int32_t e = 0; e < r->hessian; e++) {
            to[r->second_to[e]] += from[e];
            if (r->second_too[e] >= 0)
                to[r->second_too[e]] += from[e];
        }
    }
    if (stage + 1 < r->stages)
        for (int32_t i = 0; i < r->links; i++)
            for (int32_t j = 0; j <= i; j++) {
                int64_t at = (int64_t)i * r->links + j;
                to[r->link_to[at]] += r->cost[at];
                if (r->link_too[at] >= 0)
                    to[r->link_too[at]] += r->cost[at];
            }
    const double *jacobian = in->jacobian + k * r->jacobian;
    const LitheReducedRows *rows = &r->inequalities_by;
    for (int32_t i = 0; i < r->inequalities; i++) {
        double weight = in->weight[k * r->inequalities + i];
        for (int32_t a = rows->start[i]; a < rows->start[i + 1] && weight != 0; a++)
            for (int32_t b = rows->start[i]; b < rows->start[i + 1]; b++) {
                int64_t u = rows->place[a], v = rows->place[b];
                double value = weight * jacobian[rows->entry[a]] * jacobian[rows->entry[b]];
                if (u < p)
                    to[v < p ? u * p + v : p * p + u * w + v - p] += value;
                else if (v >= p && v <= u)
                    to[p * p + p * w + (u - p) * w + v - p] += value;
            }
    }
    for (int32_t i = 0; i < r->variables; i++)
        to[r->diagonal[i]] += in->diagonal[k * r->variables + i];
    memcpy(own_of(r, stage), to, (size_t)(p * p) * sizeof *to);
}

// own variables and unsolved equations by w
STAGE_FN bool solve_equations(LitheReduced *r, const double *jacobian, double *solved) {
    int32_t p = r->pairs, w = r->width;
    const LitheReducedRows *rows = &r->equations_by;
    Updates updates;
    updates.count = 0;
    for (int32_t i = 0; i < p + r->left; i++) {
        double *to = i < p ? solved + (int64_t)i * w : r->unsolved + (int64_t)(i - p) * w, own = 1;
        memset(to, 0, (size_t)w * sizeof *to);
        for (int32_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            double value = jacobian[rows->entry[e]];
            int32_t at = rows->place[e];
            if (at >= p)
                to[at - p] += value;
            else if (at == i)
                own = -value;
            else if (value != 0)
                add_update(&updates, w, -value, solved + (int64_t)at * w, to);
        }
        end_updates(&updates, w, to);
        if (!(fabs(own) > REDUCED_TINY))
            return false;
        double over = i < p ? 1 / own : 1;
        for (int32_t c = 0; c < w; c++)
            to[c] *= over;
    }
    return true;
}

// second derivatives by w alone: H_ww + T' (H_pw + H_pp T) + H_pw' T, the lower triangle
STAGE_FN void reduce_second(LitheReduced *r, const double *solved, double *turned) {
    int32_t p = r->pairs, w = r->width;
    const double *own = r->second, *mixed = own + (int64_t)p * p;
    Updates updates;
    updates.count = 0;
    memcpy(turned, mixed, (size_t)p * (size_t)w * sizeof *turned);
    for (int32_t i = 0; i < p; i++) {
        double *to = turned + (int64_t)i * w;
        for (int32_t j = 0; j < p; j++)
            if (own[i * p + j] != 0)
                add_update(&updates, w, -own[i * p + j], solved + (int64_t)j * w, to);
        end_updates(&updates, w, to);
    }
    memcpy(r->reduced, mixed + (int64_t)p * w, (size_t)w * (size_t)w * sizeof(double));
    for (int32_t i = 0; i < w; i++) {
        double *to = r->reduced + (int64_t)i * w;
        for (int32_t a = 0; a < p; a++) {
            double by = solved[a * w + i], own_by = mixed[a * w + i];
            if (by != 0)
                add_update(&updates, i + 1, -by, turned + (int64_t)a * w, to);
            if (own_by != 0)
                add_update(&updates, i + 1, -own_by, solved + (int64_t)a * w, to);
        }
        end_updates(&updates, i + 1, to);
    }
}

// the block of the other variables and unsolved equations, scaled to at most ones on the diagonal
STAGE_FN void fill_block(LitheReduced *r, double soft, double *block, double *coupling,
                         double *scale) {
    int32_t n = r->block, rest = r->rest, w = r->width, links = r->links;
    for (int32_t i = 0; i < n; i++) {
        double *row = block + (int64_t)i * n, *beside = coupling + (int64_t)i * links;
        if (i < rest) {
            memcpy(row, r->reduced + (int64_t)i * w, (size_t)(i + 1) * sizeof *row);
            for (int32_t c = 0; c < links; c++)
                beside[c] = r->reduced[(int64_t)(rest + c) * w + i];
        } else {
            const double *from = r->unsolved + (int64_t)(i - rest) * w;
            memset(row, 0, (size_t)(i + 1) * sizeof *row);
            memcpy(row, from, (size_t)rest * sizeof *row);
            memcpy(beside, from + rest, (size_t)links * sizeof *beside);
            row[i] = -soft;
        }
        int exponent = 0;
        if (isfinite(row[i]))
            frexp(larger(1, fabs(row[i])), &exponent);
        scale[i] = ldexp(1, -(exponent / 2));
        for (int32_t j = 0; j <= i; j++)
            row[j] *= scale[i] * scale[j];
        for (int32_t c = 0; c < links; c++)
            beside[c] *= scale[i];
    }
}

// U = R_-- - B' S^-1 B, the lower triangle
STAGE_FN void pass_cost(LitheReduced *r, const double *block, const double *coupling,
                        const int32_t *order, const int8_t *pivot) {
    int32_t n = r->block, links = r->links;
    Updates updates;
    updates.count = 0;
    for (int32_t i = 0; i < n; i++)
        memcpy(r->unit + (int64_t)i * links, coupling + (int64_t)order[i] * links,
               (size_t)links * sizeof(double));
    forward_rows(n, block, pivot, links, r->unit);
    memcpy(r->divided, r->unit, (size_t)n * (size_t)links * sizeof(double));
    divide_rows(n, block, pivot, links, r->divided);
    for (int32_t c = 0; c < links; c++) {
        double *to = r->cost + (int64_t)c * links;
        memcpy(to, r->reduced + (int64_t)(r->rest + c) * r->width + r->rest,
               (size_t)(c + 1) * sizeof *to);
        for (int32_t i = 0; i < n; i++) {
            double by = r->unit[(int64_t)i * links + c];
            if (by != 0)
                add_update(&updates, c + 1, by, r->divided + (int64_t)i * links, to);
        }
        end_updates(&updates, c + 1, to);
    }
}

STAGE_TARGET static LitheReducedEnd reduced_factor(LitheReduced *r, const LitheReducedInput *in) {
    int64_t n = r->block;
    for (int32_t k = r->stages - 1; k >= 0; k--) {
        double *solved = solved_of(r, k), *block = r->factor + k * n * n;
        double *coupling = r->coupling + k * n * r->links;
        int32_t *order = r->order + k * n;
        int8_t *pivot = r->pivot + k * n;
        if (lithe_meter_spend(r->meter, n))
            return LITHE_REDUCED_SINGULAR;
        fill_second(r, in, k);
        if (!solve_equations(r, in->jacobian + (int64_t)k * r->jacobian, solved))
            return LITHE_REDUCED_UNSOLVED;
        reduce_second(r, solved, turned_of(r, k));
        fill_block(r, in->soft, block, coupling, r->scale + k * n);
        int32_t negative = factor_block(r->block, block, order, pivot, r->column);
        if (negative < 0)
            return LITHE_REDUCED_SINGULAR;
        if (negative != r->left)
            return LITHE_REDUCED_WRONG;
        if (k > 0)
            pass_cost(r, block, coupling, order, pivot);
    }
    return LITHE_REDUCED_RIGHT;
}

// a.b, by sums of every fourth product
STAGE_FN double inner(int32_t n, const double *a, const double *b) {
    double sum[4] = {0};
    int32_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int c = 0; c < 4; c++)
            sum[c] += a[k + c] * b[k + c];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// x = S^-1 x of a stage, scaled as its factor is
STAGE_FN void solve_scaled(const LitheReduced *r, int32_t stage, double *x, double *scratch) {
    int32_t n = r->block;
    const int32_t *order = r->order + (int64_t)stage * n;
    for (int32_t i = 0; i < n; i++)
        scratch[i] = x[order[i]];
    solve_rows(n, r->factor + (int64_t)stage * n * n, r->pivot + (int64_t)stage * n, scratch);
    for (int32_t i = 0; i < n; i++)
        x[order[i]] = scratch[i];
}

// From the last stage to the first: t, forces on own variables, S^-1 of the right side; the
// gradient by x_- goes to the stage before.
STAGE_FN void solve_back(LitheReduced *r, int32_t stage, const double *jacobian, double *x) {
    int32_t p = r->pairs, w = r->width, rest = r->rest, n = r->block, links = r->links;
    const LitheReducedRows *rows = &r->equations_by;
    const double *right = x + (int64_t)stage * (r->variables + r->equations);
    double *fixed = r->fixed + (int64_t)stage * p, *force = r->force + (int64_t)stage * p;
    double *middle = r->middle + (int64_t)stage * n, *gradient = r->gradient;
    const double *scale = r->scale + (int64_t)stage * n;
    for (int32_t i = 0; i < p + r->left; i++) {
        double sum = right[r->variables + r->equation[i]], own = 1;
        for (int32_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            if (rows->place[e] == i)
                own = jacobian[rows->entry[e]];
            else if (rows->place[e] < p)
                sum -= jacobian[rows->entry[e]] * fixed[rows->place[e]];
        }
        *(i < p ? &fixed[i] : &middle[rest + i - p]) = i < p ? sum / own : sum;
    }
    for (int32_t i = 0; i < p; i++)
        force[i] = -right[r->variable[i]];
    memset(gradient, 0, (size_t)w * sizeof *gradient);
    for (int32_t i = 0; i < rest; i++)
        gradient[i] = -right[r->variable[p + i]];
    if (stage + 1 < r->stages)
        for (int32_t c = 0; c < links; c++) {
            int32_t at = r->link[c];
            *(at < p ? &force[at] : &gradient[at - p]) += r->unit[c];
        }
    const double *own = own_of(r, stage), *solved = solved_of(r, stage),
                 *turned = turned_of(r, stage);
    for (int32_t i = 0; i < p; i++) {
        subtract(w, -force[i], solved + (int64_t)i * w, gradient);
        subtract(w, -fixed[i], turned + (int64_t)i * w, gradient);
    }
    for (int32_t i = 0; i < p; i++) // H is symmetric: its rows are its columns
        subtract(p, -fixed[i], own + (int64_t)i * p, force);
    for (int32_t i = 0; i < rest; i++)
        middle[i] = -gradient[i];
    for (int32_t i = 0; i < n; i++)
        middle[i] *= scale[i];
    solve_scaled(r, stage, middle, r->column);
    memcpy(r->unit, gradient + rest, (size_t)links * sizeof *gradient);
    const double *coupling = r->coupling + (int64_t)stage * n * links;
    for (int32_t i = 0; i < n; i++)
        subtract(links, -middle[i], coupling + (int64_t)i * links, r->unit);
}

// From the first stage to the last: variables and multipliers.
STAGE_FN void solve_on(LitheReduced *r, int32_t stage, const double *jacobian, double *x) {
    int32_t p = r->pairs, w = r->width, rest = r->rest, n = r->block, links = r->links;
    const LitheReducedRows *rows = &r->equations_by;
    int64_t size = r->variables + r->equations;
    double *to = x + stage * size, *y = to + r->variables;
    double *force = r->force + (int64_t)stage * p, *middle = r->middle + (int64_t)stage * n;
    const double *fixed = r->fixed + (int64_t)stage * p, *scale = r->scale + (int64_t)stage * n;
    double *all = r->gradient, *block = r->divided; // w; B x_-
    memset(all, 0, (size_t)w * sizeof *all);
    for (int32_t c = 0; c < links && stage > 0; c++)
        all[rest + c] = to[r->variable[r->link[c]] - size];
    const double *coupling = r->coupling + (int64_t)stage * n * links;
    for (int32_t i = 0; i < n; i++)
        block[i] = inner(links, coupling + (int64_t)i * links, all + rest);
    solve_scaled(r, stage, block, r->column);
    for (int32_t i = 0; i < n; i++)
        middle[i] = scale[i] * (middle[i] - block[i]);
    for (int32_t i = 0; i < rest; i++)
        to[r->variable[p + i]] = all[i] = middle[i];
    const double *solved = solved_of(r, stage), *turned = turned_of(r, stage);
    for (int32_t i = 0; i < p; i++) {
        to[r->variable[i]] = fixed[i] + inner(w, solved + (int64_t)i * w, all);
        force[i] = -force[i] - inner(w, turned + (int64_t)i * w, all);
    }
    for (int32_t i = p + r->left - 1; i >= 0; i--) {
        double own = 1, multiplier = i < p ? force[i] : middle[rest + i - p];
        for (int32_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            if (rows->place[e] == i)
                own = jacobian[rows->entry[e]];
        multiplier = i < p ? multiplier / own : multiplier;
        y[r->equation[i]] = multiplier;
        for (int32_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            if (rows->place[e] < p && rows->place[e] != i)
                force[rows->place[e]] -= jacobian[rows->entry[e]] * multiplier;
    }
}

STAGE_TARGET static void reduced_solve(LitheReduced *r, const double *jacobian, double *x) {
    for (int32_t k = r->stages - 1; k >= 0; k--)
        solve_back(r, k, jacobian + (int64_t)k * r->jacobian, x);
    for (int32_t k = 0; k < r->stages; k++)
        solve_on(r, k, jacobian + (int64_t)k * r->jacobian, x);
}

const LitheReducedKernels REDUCED_TABLE = {reduced_factor, reduced_solve};
