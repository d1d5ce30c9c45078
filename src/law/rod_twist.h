// SPDX-License-Identifier: Apache-2.0
// law/rod_twist.h - twist of one interior node: plain reference form
//
// tau = gamma_f - gamma_e + reference twist; hat derivatives (at fixed spin), notation of
// rod_bend.h:
//     (T1)  g_e = kb/(2|e|),  g_f = kb/(2|f|),  g_ge = -1,  g_gf = 1
//     (T2)  H_ee = -sym(kb(x)(t + tt))/(2|e|^2),   H_ff = -sym(kb(x)(t' + tt))/(2|f|^2)
//     (T3)  H_ef = [t]x/(chi|e||f|) - kb(x)tt/(2|e||f|);  all gamma entries 0

#ifndef LITHE_LAW_ROD_TWIST_H
#define LITHE_LAW_ROD_TWIST_H

#include "law/rod_bend.h"

/// (T1)-(T3); `tau` is the value, which depends on history and is given by the caller.
void lithe_rod_twist_term(const LitheRodEdge *e, const LitheRodEdge *f, double tau,
                          LitheJointTerm *out);

#endif
