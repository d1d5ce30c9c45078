// SPDX-License-Identifier: Apache-2.0
// tests/base/test_suggest.c - the name nearest to a mistyped one

#include "test.h"

#include "base/suggest.h"

static const char *const names[] = {"radius", "length", "moment", "velocity", "x"};

TEST(distances_count_single_edits) {
    CHECK(lithe_name_distance("radius", "radius") == 0);
    CHECK(lithe_name_distance("Radius", "radius") == 0);
    CHECK(lithe_name_distance("raduis", "radius") == 1);
    CHECK(lithe_name_distance("radiu", "radius") == 1);
    CHECK(lithe_name_distance("kitten", "sitting") == 3);
    CHECK(lithe_name_distance("", "abc") == 3);
}

TEST(distance_is_symmetric) {
    CHECK(lithe_name_distance("torque", "trq") == lithe_name_distance("trq", "torque"));
}

TEST(a_typing_error_finds_its_name) {
    CHECK_TEXT(lithe_suggest("raduis", names, 5), "radius");
    CHECK_TEXT(lithe_suggest("momment", names, 5), "moment");
    CHECK_TEXT(lithe_suggest("velocty", names, 5), "velocity");
}

TEST(something_else_altogether_finds_nothing) {
    CHECK(lithe_suggest("colour", names, 5) == NULL);
    CHECK(lithe_suggest("", names, 5) == NULL);
    CHECK(lithe_suggest("y", names, 5) == NULL);
}

TEST(long_names_are_cut_not_overrun) {
    char a[500], b[500];
    memset(a, 'a', 499);
    memset(b, 'b', 499);
    a[499] = b[499] = '\0';
    CHECK(lithe_name_distance(a, b) == 80);
}

TEST(several_names_come_in_the_order_of_their_distance) {
    static const char *const all[] = {"rope.tension", "ring.tension", "energy.kinetic",
                                      "ring.torsion", "ring.twist"};
    const char *near[3];
    FATAL(lithe_suggest_several("ring.tensoin", all, 5, near, 3) == 3);
    CHECK_TEXT(near[0], "ring.tension");
    CHECK(strcmp(near[1], "rope.tension") == 0 || strcmp(near[1], "ring.torsion") == 0);
    CHECK(lithe_suggest_several("a-longer-name.twist", all, 5, near, 3) == 1);
    CHECK_TEXT(near[0], "ring.twist");
    // the same owner, in their order
    CHECK(lithe_suggest_several("energy.of-everything-that-is-bent", all, 5, near, 3) == 1);
    CHECK_TEXT(near[0], "energy.kinetic");
    CHECK(lithe_suggest_several("colour", all, 5, near, 3) == 0);
}
