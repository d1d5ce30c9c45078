// SPDX-License-Identifier: Apache-2.0
// law/section.h - constants of a cross-section: area, bending, torsion

#ifndef LITHE_LAW_SECTION_H
#define LITHE_LAW_SECTION_H

/// y1 is measured along the director m1, y2 along m2.
typedef struct LitheSection {
    double area;         // A [m^2]
    double I1;           // integral of y1^2: bending towards m1 [m^4]
    double I2;           // integral of y2^2: bending towards m2 [m^4]
    double J;            // St. Venant torsion constant, not the polar moment [m^4]
    double half1, half2; // largest |y1|, |y2| [m]
    double arm;          // largest shear strain by torsion over the twist per length [m]
} LitheSection;

LitheSection lithe_section_circle(double radius);

/// Full sizes along m1 and m2.
LitheSection lithe_section_rectangle(double width, double height);
LitheSection lithe_section_ellipse(double width, double height);

#endif
