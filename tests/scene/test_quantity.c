// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_quantity.c - units, dimensions and arithmetic of scene files

#include "scene/quantity.h"

#include "test.h"

// r = 2 mm, n = 11, bad fails
static int lookup(void *user, const char *name, LitheQuantity *value) {
    (void)user;
    if (strcmp(name, "r") == 0) {
        *value = (LitheQuantity){0.002, {.length = 1}};
        return 1;
    }
    if (strcmp(name, "n") == 0) {
        *value = (LitheQuantity){.value = 11};
        return 1;
    }
    return strcmp(name, "bad") == 0 ? -1 : 0;
}

static char why[300];

static double value_of(const char *text, LitheWanted wanted) {
    LitheQuantity q;
    if (!lithe_quantity_parse(text, lookup, NULL, &q, why, sizeof why)) {
        printf("  '%s': %s\n", text, why);
        return NAN;
    }
    return lithe_quantity_fits(&q, wanted) ? q.value : NAN;
}

TEST(units_give_the_double_nearest_to_their_decimal_value) {
    CHECK(value_of("18 MPa", LITHE_WANT_PRESSURE) == 18e6);
    CHECK(value_of("2mm", LITHE_WANT_LENGTH) == 0.002);
    CHECK(value_of("1.1 mm", LITHE_WANT_LENGTH) == 0.0011);
    CHECK(value_of("4.7um", LITHE_WANT_LENGTH) == 4.7e-6);
    CHECK(value_of("4.7\xc2\xb5m", LITHE_WANT_LENGTH) == 4.7e-6);
    CHECK(value_of("9.81 m/s^2", LITHE_WANT_ACCELERATION) == 9.81);
    CHECK(value_of("1 1/s", LITHE_WANT_RATE) == 1);
    CHECK(value_of("0.01 Pa s", LITHE_WANT_VISCOSITY) == 0.01);
    CHECK(value_of("5e4 N/m", LITHE_WANT_STIFFNESS) == 5e4);
    CHECK(value_of("7 g/cm^3", LITHE_WANT_DENSITY) == 7000);
    CHECK(value_of("20 g/m", LITHE_WANT_MASS_PER_LENGTH) == 0.02);
    CHECK(value_of("3 N mm^2", LITHE_WANT_BENDING_STIFFNESS) == 3e-6);
    CHECK(value_of("3 N mm\xc2\xb2", LITHE_WANT_BENDING_STIFFNESS) == 3e-6);
    CHECK(value_of("95 %", LITHE_WANT_NUMBER) == 0.95);
    CHECK(value_of("2 min", LITHE_WANT_TIME) == 120);
    CHECK(value_of("1 h", LITHE_WANT_TIME) == 3600);
    CHECK(value_of("3 inch", LITHE_WANT_LENGTH) == 3 * 0.0254);
    CHECK(value_of(".5e-3", LITHE_WANT_LENGTH) == 5e-4);
    CHECK(value_of("1e-400", LITHE_WANT_LENGTH) == 0);
}

TEST(angles_are_radians) {
    CHECK_NEAR(value_of("180 deg", LITHE_WANT_ANGLE), M_PI, 1e-15);
    CHECK_NEAR(value_of("3 turns", LITHE_WANT_ANGLE), 6 * M_PI, 1e-14);
    CHECK_NEAR(value_of("1 turn/s", LITHE_WANT_ANGULAR_VELOCITY), 6.283185307179586, 1e-15);
    CHECK_NEAR(value_of("60 rpm", LITHE_WANT_ANGULAR_VELOCITY), 6.283185307179586, 1e-14);
    CHECK(value_of("2 N m/rad", LITHE_WANT_ROTATIONAL_STIFFNESS) == 2);
    CHECK(value_of("2 N m", LITHE_WANT_ROTATIONAL_STIFFNESS) == 2);
    CHECK(value_of("5 1/m", LITHE_WANT_TWIST) == 5);
}

TEST(a_hertz_is_no_radian_per_second_and_a_degree_no_number) {
    CHECK(isnan(value_of("1 Hz", LITHE_WANT_ANGULAR_VELOCITY)));
    CHECK(isnan(value_of("1 turn/s", LITHE_WANT_FREQUENCY)));
    CHECK(isnan(value_of("1 Hz", LITHE_WANT_RATE)));
    CHECK(value_of("1 kHz", LITHE_WANT_FREQUENCY) == 1000);
    CHECK(value_of("2 1/s", LITHE_WANT_FREQUENCY) == 2);
    CHECK(isnan(value_of("30 deg", LITHE_WANT_NUMBER)));
    CHECK(isnan(value_of("3 s", LITHE_WANT_LENGTH)));
    CHECK(isnan(value_of("3 m", LITHE_WANT_NUMBER)));
}

TEST(expressions_follow_the_usual_order) {
    CHECK(value_of("2 + 3*4", LITHE_WANT_NUMBER) == 14);
    CHECK(value_of("(2 + 3)*4", LITHE_WANT_NUMBER) == 20);
    CHECK(value_of("-2^2", LITHE_WANT_NUMBER) == -4);
    CHECK(value_of("2^3^2", LITHE_WANT_NUMBER) == 512);
    CHECK(value_of("2^-1", LITHE_WANT_NUMBER) == 0.5);
    CHECK(value_of("8/2/2", LITHE_WANT_NUMBER) == 2);
    CHECK(value_of("7 - 2 - 1", LITHE_WANT_NUMBER) == 4);
    CHECK(value_of("--3", LITHE_WANT_NUMBER) == 3);
    CHECK(value_of("max(1, 5, 2) - min(4, 3)", LITHE_WANT_NUMBER) == 2);
    CHECK_NEAR(value_of("sin(30 deg) + cos(pi/3) + tan(0)", LITHE_WANT_NUMBER), 1, 1e-15);
    CHECK_NEAR(value_of("2*pi rad/s", LITHE_WANT_ANGULAR_VELOCITY), 6.283185307179586, 1e-14);
    CHECK_NEAR(value_of("pi mm", LITHE_WANT_LENGTH), 3.141592653589793e-3, 1e-17);
    CHECK(value_of("abs(-3 mm)", LITHE_WANT_LENGTH) == 0.003);
}

TEST(expressions_carry_dimensions) {
    CHECK_NEAR(value_of("2*r + 1 mm", LITHE_WANT_LENGTH), 0.005, 1e-18);
    CHECK_NEAR(value_of("asin(0.5) + acos(0.5) + atan(1) - 135 deg", LITHE_WANT_ANGLE), 0, 1e-15);
    CHECK_NEAR(value_of("180 deg - 2*asin(1 mm/2 mm)", LITHE_WANT_ANGLE), 2 * M_PI / 3, 1e-15);
    CHECK_NEAR(value_of("sqrt(r^2 + (3 mm)^2)", LITHE_WANT_LENGTH), sqrt(13e-6), 1e-17);
    CHECK_NEAR(value_of("r/1 ms", LITHE_WANT_SPEED), 2, 1e-15);
    CHECK_NEAR(value_of("r/mm", LITHE_WANT_NUMBER), 2, 1e-15);
    CHECK(value_of("1/s", LITHE_WANT_RATE) == 1);
    CHECK(value_of("3 mm/2", LITHE_WANT_LENGTH) == 0.0015);
    CHECK(value_of("10 mm*n", LITHE_WANT_LENGTH) == 0.11);
    CHECK(value_of("(r^2)^0.5", LITHE_WANT_LENGTH) == 0.002);
    CHECK(value_of("1 kg m^2/s^2/m", LITHE_WANT_FORCE) == 1);
}

TEST(random_numbers_depend_on_their_arguments_alone_and_have_mean_and_variance) {
    enum { N = 20000 };
    double sum[2] = {0}, square[2] = {0}, product = 0;
    CHECK(value_of("uniform(7, 3)", LITHE_WANT_NUMBER) ==
          value_of("uniform(5 + 2, 3)", LITHE_WANT_NUMBER));
    CHECK(value_of("uniform(7, 3)", LITHE_WANT_NUMBER) !=
          value_of("uniform(3, 7)", LITHE_WANT_NUMBER));
    CHECK(value_of("normal(-1)", LITHE_WANT_NUMBER) != value_of("normal(1)", LITHE_WANT_NUMBER));
    CHECK_NEAR(value_of("2 mm*uniform(1)", LITHE_WANT_LENGTH), 1e-3, 1e-3);
    for (int i = 0; i < N; i++) {
        char text[2][40];
        snprintf(text[0], sizeof text[0], "uniform(1, %d)", i);
        snprintf(text[1], sizeof text[1], "normal(1, %d)", i);
        double x[2] = {value_of(text[0], LITHE_WANT_NUMBER), value_of(text[1], LITHE_WANT_NUMBER)};
        CHECK(x[0] >= 0 && x[0] < 1);
        for (int k = 0; k < 2; k++) {
            sum[k] += x[k] / N;
            square[k] += x[k] * x[k] / N;
        }
        product += (x[0] - 0.5) * x[1] / N;
    }
    // five standard deviations of the means
    CHECK_NEAR(sum[0], 0.5, 5 * sqrt(1. / 12 / N));
    CHECK_NEAR(square[0], 1. / 3, 5 * sqrt(4. / 45 / N));
    CHECK_NEAR(sum[1], 0, 5 / sqrt(N));
    CHECK_NEAR(square[1], 1, 5 * sqrt(2. / N));
    CHECK_NEAR(product, 0, 5 * sqrt(1. / 12 / N));
}

static void refuse(const char *text, const char *part) {
    LitheQuantity q = {.value = 77};
    CHECK(!lithe_quantity_parse(text, lookup, NULL, &q, why, sizeof why));
    CHECK_TEXT(why, part);
    CHECK(q.value == 77);
}

TEST(nonsense_is_refused_with_a_reason) {
    refuse("2 mm + 1 s", "+ needs equal dimensions, not a length and a time");
    refuse("r - 1", "- needs equal dimensions, not a length and a plain number");
    refuse("max(1, r)", "max needs equal dimensions");
    refuse("2 kk", "'kk' is no unit");
    refuse("1000 kg/m3", "'m3' is no unit, did you mean 'm^3'?");
    refuse("2 mm2", "'mm2' is no unit, did you mean 'mm^2'?");
    refuse("2 kk2", "'kk2' is no unit");
    // other letters, and words that are written out
    refuse("18 Mpa", "'Mpa' is no unit, did you mean 'MPa'?");
    refuse("18 mpa", "'mpa' is no unit, did you mean 'MPa'?");
    refuse("5 Kg", "'Kg' is no unit, did you mean 'kg'?");
    refuse("5 Kg/m3", "'Kg' is no unit, did you mean 'kg'?");
    refuse("30 degrees", "'degrees' is no unit, did you mean 'deg'?");
    refuse("2 CM2", "'CM2' is no unit, did you mean 'cm^2'?");
    refuse("2 Seconds", "'Seconds' is no unit, did you mean 's'?");
    refuse("foo", "'foo' is no number and no parameter");
    refuse("m", "'m' is no number and no parameter");
    refuse("2 +", "a number is expected");
    refuse("", "a number is expected");
    refuse("(2", "a ')' is missing");
    refuse("2)", "unexpected ')'");
    refuse("1/0", "division by zero");
    refuse("sqrt(-1)", "sqrt of -1");
    refuse("2^r", "a power must be a plain number");
    refuse("asin(1.5)", "asin of 1.5, must be -1 to 1");
    refuse("atan(r)", "atan needs equal dimensions");
    refuse("uniform(r)", "uniform needs whole numbers");
    refuse("normal(1, 0.5)", "normal needs whole numbers");
    refuse("normal(1", "')' is missing");
    refuse("sin(r)", "sin needs equal dimensions");
    refuse("1e999", "too large");
    refuse("10^400", "not finite");
    refuse("0x10", "no unit");
    refuse(".", "a number is expected");
    refuse(".nan", "a number is expected");
    refuse("1 m^12", "one digit");
    refuse("bad", "");
}

TEST(deep_and_long_expressions_end_in_a_message) {
    static char text[200001];
    memset(text, '(', sizeof text - 1);
    refuse(text, "nested too deeply");
    memset(text, '-', sizeof text - 1);
    refuse(text, "nested too deeply");
    memset(text, '1', sizeof text - 1);
    refuse(text, "more than 380 digits");
    memset(text, 'a', sizeof text - 1);
    refuse(text, "is no number");
}

TEST(dimensions_without_a_name_are_spelt_out) {
    char text[100];
    lithe_dimension_text(&(LitheDimension){.length = 2, .time = -3}, text, sizeof text);
    CHECK_TEXT(text, "in m^2 s^-3");
    lithe_dimension_text(&(LitheDimension){.time = 1}, text, sizeof text);
    CHECK_TEXT(text, "a time");
}
