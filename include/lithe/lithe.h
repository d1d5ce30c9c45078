// SPDX-License-Identifier: Apache-2.0
// lithe/lithe.h - all public headers

#ifndef LITHE_H
#define LITHE_H

#include "lithe/arm.h"
#include "lithe/base.h"
#include "lithe/constraint.h"
#include "lithe/contact.h"
#include "lithe/control.h"
#include "lithe/goal.h"
#include "lithe/knot.h"
#include "lithe/library.h"
#include "lithe/model.h"
#include "lithe/particles.h"
#include "lithe/plan.h"
#include "lithe/rigid.h"
#include "lithe/run.h"
#include "lithe/scene.h"
#include "lithe/shape.h"
#include "lithe/solid.h"
#include "lithe/vec.h"

#endif
