// SPDX-License-Identifier: Apache-2.0
// sparse/block_tasks.c - parallel parts of a factor: separators and subtrees
//
// Both depend on the pattern alone, never on the number of threads. Numbers in brackets:
// docs/theory/block-solver.md.

#include "sparse/block_parts.h"

#include "sparse/block_tree.h"

#include <string.h>

enum {
    PARTS = 16,   // max parts that a matrix is cut into
    SHARES = 16,  // a subtree with more than one share of L is split
    SMALL = 4000, // min blocks of a matrix that is cut: cuts add fill, and small tasks gain nothing
};
// separators may take this fraction of the blocks: they are factored again in every iteration
#define MAX_CUT 0.05

// --- separators ----------------------------------------------------------------------------------

// Blocks in the order of their distance from `root`, appended to `order` from `begin` on; level
// gets the distance plus `base`. Only blocks whose level is `fresh` are entered. Returns the end.
static int32_t spread_out(const int32_t *start, const int32_t *list, int32_t root, int32_t fresh,
                          int32_t base, int32_t begin, int32_t *order, int32_t *level) {
    int32_t end = begin;
    order[end++] = root;
    level[root] = base;
    for (int32_t k = begin; k < end; k++)
        for (int32_t p = start[order[k]]; p < start[order[k] + 1]; p++) {
            int32_t i = list[p];
            if (level[i] != fresh)
                continue;
            level[i] = level[order[k]] + 1;
            order[end++] = i;
        }
    return end;
}

// every block's distance from an end of its component, one component after the other
static void find_levels(int32_t n, const int32_t *start, const int32_t *list, int32_t *order,
                        int32_t *level) {
    int32_t end = 0, base = 0;
    for (int32_t i = 0; i < n; i++)
        level[i] = -1;
    for (int32_t root = 0; root < n; root++) {
        if (level[root] != -1)
            continue;
        // the block farthest from any start is an end; then search once more from there
        int32_t begin = end;
        end = spread_out(start, list, root, -1, 0, begin, order, level);
        int32_t far = order[end - 1];
        for (int32_t k = begin; k < end; k++)
            level[order[k]] = -2;
        end = spread_out(start, list, far, -2, base, begin, order, level);
        base = level[order[end - 1]] + 2; // no level is shared by two components
    }
}

// Returns the number of blocks in the levels that separate the list into `parts`. Unless `rank` is
// NULL, these blocks get the rank `above`.
static int32_t cut_levels(int32_t n, int32_t parts, const int32_t *order, const int32_t *level,
                          int32_t above, int32_t *rank) {
    int32_t cut = 0;
    for (int32_t p = 1, before = -1; p < parts; p++) {
        int32_t k = (int32_t)((int64_t)n * p / parts), middle = level[order[k]];
        if (middle == before)
            continue;
        // levels are contiguous
        while (k > 0 && level[order[k - 1]] == middle)
            k--;
        for (; k < n && level[order[k]] == middle; k++, cut++)
            if (rank)
                rank[order[k]] = above;
        before = middle;
    }
    return cut;
}

// The blocks of a level [11] separate those of lower levels from those of higher levels.
void lithe_block_cut(const LitheBlockMatrix *m, int32_t top, int32_t *rank, int32_t *work) {
    int32_t n = m->count, *start = work, *order = start + n + 1, *level = order + n;
    int32_t *list = level + n;
    if (n < SMALL)
        return;
    lithe_block_list_neighbours(m, start, list);
    find_levels(n, start, list, order, level);
    for (int32_t parts = PARTS; parts > 1; parts /= 2)
        if (cut_levels(n, parts, order, level, 0, NULL) <= MAX_CUT * n) {
            cut_levels(n, parts, order, level, top + 1, rank);
            return;
        }
}

// --- subtrees ------------------------------------------------------------------------------------

// Assigns subtrees smaller than a share to tasks, in the order of their roots. The columns above
// these subtrees are the top. Columns come after their descendants, so the downward loop reaches a
// root before its subtree.
static void choose_tasks(LitheBlockFactor *f, int32_t *task, int64_t *weight) {
    int32_t n = f->count, filled = 0;
    int64_t total = 0, sum = 0;
    for (int32_t j = 0; j < n; j++)
        weight[j] = 0;
    for (int32_t j = 0; j < n; j++) {
        int32_t entries = f->start[j + 1] - f->start[j];
        weight[j] += entries;
        total += entries;
        if (f->parent[j] >= 0)
            weight[f->parent[j]] += weight[j];
    }
    // parts between separators are about one share each
    int64_t largest = total / SHARES + total / (2 * SHARES), enough = total / LITHE_BLOCK_TASKS;
    for (int32_t j = n - 1; j >= 0; j--) {
        int32_t up = f->parent[j] >= 0 ? task[f->parent[j]] : f->task_count;
        task[j] = up;
        if (up != f->task_count || weight[j] > largest)
            continue;
        // a new subtree: assign it to the present task
        task[j] = filled;
        sum += weight[j];
        if (sum > enough && filled < LITHE_BLOCK_TASKS - 1) {
            filled++;
            sum = 0;
        }
    }
}

void lithe_block_group(LitheBlockFactor *f, int32_t *list, int32_t *work) {
    int32_t n = f->count, *place = work, *at = work + n, *next = at + n;
    bool shared = n >= SMALL && !f->given;
    f->task_count = shared ? LITHE_BLOCK_TASKS : 0;
    f->task_start[0] = 0;
    if (!shared) {
        f->task_start[1] = n;
        return;
    }
    // `list` holds the task of each column first, and the ordered columns at the end
    int32_t *task = list, count[LITHE_BLOCK_TASKS + 1] = {0};
    choose_tasks(f, task, (int64_t *)(void *)work);
    lithe_block_postorder(n, f->parent, place, at, next);
    for (int32_t j = 0; j < n; j++) {
        at[place[j]] = j;
        next[j] = task[j];
        count[task[j]]++;
    }
    for (int32_t t = 0; t <= f->task_count; t++) {
        f->task_start[t + 1] = f->task_start[t] + count[t];
        count[t] = f->task_start[t];
    }
    for (int32_t k = 0; k < n; k++)
        list[count[next[at[k]]]++] = at[k];
}
