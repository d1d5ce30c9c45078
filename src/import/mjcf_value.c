// SPDX-License-Identifier: Apache-2.0
// import/mjcf_value.c - values in MJCF: default classes, numbers, orientations

#include "base/memory.h"
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295 // rad

// --- default classes -----------------------------------------------------------------------------

static int32_t find_class(const LitheMjcf *mjcf, const char *name) {
    for (int32_t i = mjcf->class_count; i-- > 0;)
        if (strcmp(mjcf->classes[i].name, name) == 0)
            return i;
    return -1;
}

static LitheStatus add_class(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t parent) {
    LitheImport *import = mjcf->import;
    const char *name = lithe_xml_value(node, "class");
    if (!name && parent >= 0)
        return lithe_import_fail(import, node, "a <default> inside another has no class");
    if (mjcf->class_count == 1000)
        return lithe_import_fail(import, node, "more than 1000 default classes");
    if (!LITHE_RESERVE(import->context, mjcf->classes, mjcf->class_capacity,
                       (int64_t)mjcf->class_count + 1))
        return lithe_import_fail_memory(import);
    name = name ? name : "main";
    int32_t index = mjcf->class_count, earlier = find_class(mjcf, name);
    if (earlier >= 0 && parent >= 0)
        return lithe_import_fail(import, node, "there is a class '%.100s' in line %d already", name,
                                 mjcf->classes[earlier].node->line);
    mjcf->classes[mjcf->class_count++] = (LitheMjcfClass){name, node, parent, earlier};
    LitheStatus status = LITHE_OK;
    for (const LitheXmlNode *child = node->first; child && !status; child = child->next)
        if (lithe_xml_is(child, "default"))
            status = add_class(mjcf, child, index);
    return status;
}

LitheStatus lithe_mjcf_read_classes(LitheMjcf *mjcf) {
    LitheStatus status = LITHE_OK;
    const LitheXmlNode *node = lithe_xml_child(mjcf->root, "default");
    for (; node && !status; node = lithe_xml_next_same(node))
        status = add_class(mjcf, node, -1);
    return status;
}

LitheStatus lithe_mjcf_class(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                             int32_t *index) {
    *index = find_class(mjcf, name);
    if (*index < 0 && strcmp(name, "main") != 0)
        return lithe_import_fail(mjcf->import, node, "<%s>: no class named '%.100s'", node->name,
                                 name);
    return LITHE_OK;
}

LitheStatus lithe_mjcf_view(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t class_index,
                            LitheMjcfView *view) {
    const char *name = lithe_xml_value(node, "class");
    *view = (LitheMjcfView){node, class_index};
    return name ? lithe_mjcf_class(mjcf, node, name, &view->class_index) : LITHE_OK;
}

/// The attribute in the last element called `element` of one <default>.
static const char *in_default(const LitheXmlNode *node, const char *element, const char *name,
                              const LitheXmlNode **where) {
    const char *found = NULL;
    const LitheXmlNode *child = lithe_xml_child(node, element);
    for (; child; child = lithe_xml_next_same(child)) {
        const char *value = lithe_xml_value(child, name);
        if (value) {
            found = value;
            *where = child;
        }
    }
    return found;
}

const char *lithe_mjcf_value(const LitheMjcf *mjcf, LitheMjcfView view, const char *name,
                             const LitheXmlNode **where) {
    const LitheXmlNode *unseen;
    where = where ? where : &unseen;
    *where = view.node;
    const char *value = lithe_xml_value(view.node, name);
    for (int32_t c = view.class_index; c >= 0 && !value; c = mjcf->classes[c].parent)
        for (int32_t e = c; e >= 0 && !value; e = mjcf->classes[e].earlier)
            value = in_default(mjcf->classes[e].node, view.node->name, name, where);
    return value;
}

// --- values --------------------------------------------------------------------------------------

LitheStatus lithe_mjcf_numbers(LitheMjcf *mjcf, LitheMjcfView view, const char *name, int32_t min,
                               int32_t max, double *out, int32_t *count) {
    const LitheXmlNode *where;
    const char *value = lithe_mjcf_value(mjcf, view, name, &where);
    if (!value)
        return LITHE_OK;
    return lithe_import_numbers(mjcf->import, where, name, value, min, max, out, count);
}

LitheStatus lithe_mjcf_number(LitheMjcf *mjcf, LitheMjcfView view, const char *name, double *out) {
    return lithe_mjcf_numbers(mjcf, view, name, 1, 1, out, NULL);
}

LitheStatus lithe_mjcf_vector(LitheMjcf *mjcf, LitheMjcfView view, const char *name, Vec3 *out) {
    double value[3] = {out->x, out->y, out->z};
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, name, 3, 3, value, NULL);
    *out = v3_load(value);
    return status;
}

LitheStatus lithe_mjcf_switch(LitheMjcf *mjcf, LitheMjcfView view, const char *name, int *out) {
    static const char *const words[] = {"false", "true", "auto"};
    const LitheXmlNode *where;
    const char *value = lithe_mjcf_value(mjcf, view, name, &where);
    int32_t choice = value ? lithe_import_choice(value, words, 3) : -1;
    if (choice >= 0)
        *out = choice;
    if (choice >= 0 || !value)
        return LITHE_OK;
    return lithe_import_fail(mjcf->import, where,
                             "<%s>: %s is '%.60s', must be true, false or auto", where->name, name,
                             value);
}

const char *lithe_mjcf_name(LitheMjcf *mjcf, const LitheXmlNode *node, const char *stem,
                            int32_t number) {
    const char *name = node ? lithe_xml_value(node, "name") : NULL;
    if (name)
        return lithe_import_name(mjcf->import, node, name) ? NULL : name;
    char made[300];
    snprintf(made, sizeof made, "%.220s-%d", stem, number);
    name = lithe_xml_keep_text(&mjcf->import->xml, made);
    if (!name)
        lithe_import_fail_memory(mjcf->import);
    return name;
}

// --- orientations --------------------------------------------------------------------------------

static Quat euler(const LitheMjcf *mjcf, const double *angle) {
    Quat q = q4_identity();
    for (int i = 0; i < 3; i++) {
        char axis = mjcf->eulerseq[i];
        bool fixed = axis < 'a'; // capitals: about the fixed axes
        int k = axis - (fixed ? 'X' : 'x');
        Quat turn = q4_exp(v3(k == 0 ? angle[i] : 0, k == 1 ? angle[i] : 0, k == 2 ? angle[i] : 0));
        q = fixed ? q4_mul(turn, q) : q4_mul(q, turn);
    }
    return q4_unit(q);
}

static LitheStatus fail_direction(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name) {
    return lithe_import_fail(mjcf->import, node, "<%s>: %s has no direction", node->name, name);
}

/// The rotation that the numbers of the attribute `name` describe.
static LitheStatus read_turn(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                             const double *value, Quat *q) {
    double unit = mjcf->degrees ? DEGREE : 1;
    if (strcmp(name, "quat") == 0) {
        *q = (Quat){value[0], value[1], value[2], value[3]};
        double norm = q4_norm(*q);
        if (!(norm > 1e-10) || !isfinite(norm))
            return fail_direction(mjcf, node, name);
        *q = q4_unit(*q);
    } else if (strcmp(name, "euler") == 0) {
        double angle[3] = {unit * value[0], unit * value[1], unit * value[2]};
        *q = euler(mjcf, angle);
    } else if (strcmp(name, "axisangle") == 0) {
        double norm = v3_norm(v3_load(value));
        if (!(norm > 1e-10) || !isfinite(norm))
            return fail_direction(mjcf, node, name);
        *q = q4_unit(q4_axis_angle(v3_unit(v3_load(value)), unit * value[3]));
    } else if (strcmp(name, "zaxis") == 0) {
        double norm = v3_norm(v3_load(value));
        if (!(norm > 1e-10) || !isfinite(norm))
            return fail_direction(mjcf, node, name);
        *q = q4_between(v3(0, 0, 1), v3_unit(v3_load(value)));
    } else { // xyaxes: y is made perpendicular to x
        Vec3 x = v3_unit(v3_load(value)), y = v3_load(value + 3);
        y = v3_axpy(-v3_dot(x, y), x, y);
        double norm = v3_norm(x) * v3_norm(y);
        if (!(norm > 1e-10) || !isfinite(norm))
            return fail_direction(mjcf, node, name);
        y = v3_unit(y);
        *q = q4_of_matrix(m3_columns(x, y, v3_cross(x, y)));
    }
    if (!(fabs(q4_norm(*q) - 1) < 1e-9))
        return lithe_import_fail(mjcf->import, node, "<%s>: %s is too large", node->name, name);
    return LITHE_OK;
}

LitheStatus lithe_mjcf_frame(LitheMjcf *mjcf, LitheMjcfView view, LitheFrame *frame) {
    static const struct {
        const char *name;
        int32_t count;
    } kinds[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
    *frame = frame_identity();
    LitheStatus status = lithe_mjcf_vector(mjcf, view, "pos", &frame->at);
    const char *first = NULL;
    for (int i = 0; i < 5 && !status; i++) {
        const LitheXmlNode *where;
        const char *value = lithe_mjcf_value(mjcf, view, kinds[i].name, &where);
        double number[6];
        if (!value)
            continue;
        if (first)
            return lithe_import_fail(mjcf->import, where, "<%s> has both %s and %s", where->name,
                                     first, kinds[i].name);
        first = kinds[i].name;
        status = lithe_import_numbers(mjcf->import, where, first, value, kinds[i].count,
                                      kinds[i].count, number, NULL);
        status = status ? status : read_turn(mjcf, where, first, number, &frame->q);
    }
    return status;
}
