// SPDX-License-Identifier: Apache-2.0
// tests/view/test_message.c - valid and refused requests of pages

#include "test.h"

#include "view/guard.h"
#include "view/hub.h"
#include "view/message.h"

static LitheStatus parse(const char *text, LitheViewMessage *message, bool *broken,
                         LitheError *error) {
    return lithe_view_message_parse(text, strlen(text), message, broken, error);
}

TEST(each_request_arrives_with_its_values) {
    LitheViewMessage m;
    LitheError error;
    bool broken;
    CHECK(parse("{\"do\":\"play\"}", &m, &broken, &error) == LITHE_OK &&
          m.request == LITHE_REQUEST_PLAY);
    CHECK(parse("{\"do\":\"step\"}", &m, &broken, &error) == LITHE_OK && m.count == 1);
    CHECK(parse(" { \"count\" : 12 , \"do\" : \"step\" } ", &m, &broken, &error) == LITHE_OK &&
          m.request == LITHE_REQUEST_STEP && m.count == 12);
    CHECK(parse("{\"do\":\"speed\",\"value\":2.5e-1}", &m, &broken, &error) == LITHE_OK);
    CHECK_NEAR(m.value, 0.25, 1e-16);
    FATAL(parse("{\"do\":\"slider\",\"number\":3,\"value\":-0.5}", &m, &broken, &error) ==
          LITHE_OK);
    CHECK(m.request == LITHE_REQUEST_SLIDER && m.count == 3 && m.value == -0.5);
    CHECK(parse("{\"do\":\"slider\",\"number\":3}", &m, &broken, &error) == LITHE_BAD_INPUT);
    CHECK(parse("{\"do\":\"slider\",\"number\":-1,\"value\":0}", &m, &broken, &error) ==
          LITHE_BAD_INPUT);
    CHECK(parse("{\"do\":\"record\",\"on\":true}", &m, &broken, &error) == LITHE_OK &&
          m.request == LITHE_REQUEST_RECORD && m.down);
    FATAL(parse("{\"do\":\"grab\",\"rod\":1,\"node\":17,\"to\":[0.5,-1e-3,12.25]}", &m, &broken,
                &error) == LITHE_OK);
    CHECK(m.request == LITHE_REQUEST_GRAB && m.rod == 1 && m.node == 17 && m.body == -1);
    CHECK_NEAR(m.to[0], 0.5, 1e-15);
    CHECK_NEAR(m.to[1], -1e-3, 1e-18);
    CHECK_NEAR(m.to[2], 12.25, 1e-14);
    FATAL(parse("{\"do\":\"grab\",\"body\":3,\"at\":[1,2,3],\"to\":[4,5,6]}", &m, &broken,
                &error) == LITHE_OK);
    CHECK(m.body == 3 && m.rod == -1 && m.at[2] == 3 && m.to[0] == 4);
    CHECK(m.thing[0] == '\0' && m.part == -1);
    FATAL(
        parse(
            "{\"do\":\"grab\",\"thing\":\"arm/a-link-whose-name-is-longer-than-a-key\",\"part\":5,"
            "\"to\":[7,8,9]}",
            &m, &broken, &error) == LITHE_OK);
    CHECK(strcmp(m.thing, "arm/a-link-whose-name-is-longer-than-a-key") == 0 && m.part == 5);
    CHECK(m.body == -1 && m.rod == -1 && m.at[0] == 0 && m.to[2] == 9);
    FATAL(parse("{\"do\":\"key\",\"key\":\"ArrowLeft\",\"down\":true}", &m, &broken, &error) ==
          LITHE_OK);
    CHECK(strcmp(m.key, "ArrowLeft") == 0 && m.down);
    FATAL(parse("{\"do\":\"key\",\"key\":\"\\\\\",\"down\":false}", &m, &broken, &error) ==
          LITHE_OK);
    CHECK(strcmp(m.key, "\\") == 0 && !m.down);
    FATAL(parse("{\"do\":\"frames\",\"from\":3,\"to\":9000000000,\"every\":2}", &m, &broken,
                &error) == LITHE_OK);
    CHECK(m.from == 3 && m.last == 9000000000 && m.every == 2);
}

TEST(unsupported_requests_are_reported_and_leave_the_output_unchanged) {
    static const char *const cases[][2] = {
        {"{\"do\":\"paly\"}", "did you mean 'play'"},
        {"{\"do\":3}", "has no text member 'do'"},
        {"{\"play\":true}", "has no text member 'do'"},
        {"{\"do\":\"step\",\"count\":0}", "count is 0, must be from 1"},
        {"{\"do\":\"step\",\"count\":1.5}", "a whole number"},
        {"{\"do\":\"step\",\"count\":\"x\"}", "must be a number"},
        {"{\"do\":\"step\",\"count\":1,\"count\":2}", "repeated"},
        {"{\"do\":\"play\",\"now\":true}", "unknown"},
        {"{\"do\":\"speed\"}", "needs 'value'"},
        {"{\"do\":\"speed\",\"value\":1e-9}", "must be 0 or from 0.001"},
        {"{\"do\":\"grab\",\"to\":[0,0,0]}", "needs 'thing', or 'rod' and 'node'"},
        {"{\"do\":\"grab\",\"thing\":\"\",\"to\":[0,0,0]}", "needs 'thing'"},
        {"{\"do\":\"grab\",\"thing\":7,\"to\":[0,0,0]}", "must be a text"},
        {"{\"do\":\"grab\",\"thing\":\"a\",\"rod\":0,\"to\":[0,0,0]}", "unknown"},
        {"{\"do\":\"grab\",\"rod\":0,\"to\":[0,0,0]}", "or 'rod' and 'node'"},
        {"{\"do\":\"grab\",\"body\":0,\"to\":[0,0,0]}", "needs 'at'"},
        {"{\"do\":[1,2]}", "has no text member 'do'"},
        {"{\"do\":\"grab\",\"thing\":\"a\",\"to\":[0,0]}",
         "grab: to has 2 numbers, must have three"},
        {"{\"do\":\"move\",\"to\":[1,2,3,4]}", "move: to has 4 numbers, must have three"},
        {"{\"do\":\"move\",\"to\":[]}", "move: to has 0 numbers, must have three"},
        {"{\"do\":\"move\",\"to\":[0,0,1e30]}", "must be from -1e+09"},
        {"{\"do\":\"axis\",\"axis\":0,\"value\":2}", "must be from -1 to 1"},
        {"{\"do\":\"frames\",\"from\":5,\"to\":4}", "before 'from'"},
        {"{\"do\":\"key\",\"key\":\"a\",\"down\":1}", "true or false"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LitheViewMessage m = {.count = 77};
        LitheError error = {0};
        bool broken = true;
        CHECK(parse(cases[i][0], &m, &broken, &error) == LITHE_BAD_INPUT);
        CHECK(!broken && m.count == 77);
        CHECK_TEXT(error.text, cases[i][1]);
    }
}

TEST(what_is_no_flat_object_is_broken) {
    static const char *const cases[] = {
        "",
        "{",
        "{}",
        "[]",
        "{\"do\"}",
        "{\"do\":}",
        "play",
        "{\"do\":\"play\"}x",
        "{\"do\":\"play\",}",
        "{\"do\":[1,]}",
        "{\"do\":[1,2,3,4}",
        "{\"do\":{}}",
        "{\"do\":nul}",
        "{\"do\":+1}",
        "{\"do\":.5}",
        "{\"do\":1.}",
        "{\"do\":1e}",
        "{\"do\":1e999}",
        "{\"do\":\"\\u0041\"}",
        "{\"do\":\"a\nb\"}",
        "{\"do\":\"play",
        "{\"do\":tru}",
        "{\"do\":\"a name that is longer than any key\"}",
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LitheViewMessage m;
        LitheError error = {0};
        bool broken = false;
        bool refused = parse(cases[i], &m, &broken, &error) == LITHE_BAD_INPUT && broken;
        if (!CHECK(refused))
            printf("  %s\n", cases[i]);
    }
    char *long_text = malloc(LITHE_VIEW_MESSAGE_BYTES + 2);
    FATAL(long_text);
    memset(long_text, ' ', LITHE_VIEW_MESSAGE_BYTES + 1);
    memcpy(long_text, "{\"do\":\"play\"}", 13);
    LitheViewMessage m;
    LitheError error = {0};
    bool broken = false;
    CHECK(lithe_view_message_parse(long_text, LITHE_VIEW_MESSAGE_BYTES, &m, &broken, &error) ==
          LITHE_OK);
    CHECK(lithe_view_message_parse(long_text, LITHE_VIEW_MESSAGE_BYTES + 1, &m, &broken, &error) ==
              LITHE_BAD_INPUT &&
          broken);
    free(long_text);
}

TEST(only_numbers_and_localhost_are_names_of_this_server) {
    static const char *const own[] = {"127.0.0.1",      "127.0.0.1:8127", "localhost",
                                      "LocalHost:1",    "[::1]",          "[::1]:80",
                                      "127.9.9.9:65535"};
    static const char *const others[] = {"",
                                         "evil.example",
                                         "127.0.0.1.evil.example",
                                         "localhost.evil.example",
                                         "10.0.0.1",
                                         "[::2]:80",
                                         "127.0.0.1:",
                                         "127.0.0.1:x",
                                         "::1",
                                         "[::1",
                                         "127.0.0.1:999999",
                                         "127.0.0.1:80 ",
                                         "127.1",
                                         "0x7f000001",
                                         "2130706433",
                                         "127.0.0.1@evil.example",
                                         "[::1]evil",
                                         ":80"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        CHECK(lithe_view_host_passes(own[i], true) && lithe_view_host_passes(own[i], false));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!CHECK(!lithe_view_host_passes(others[i], true)))
            printf("  %s\n", others[i]);
    CHECK(lithe_view_host_passes("10.0.0.1:80", false));
    CHECK(!lithe_view_host_passes("evil.example", false));
    CHECK(!lithe_view_host_passes(NULL, true));
}

TEST(an_origin_must_be_the_requested_host) {
    CHECK(lithe_view_origin_passes(NULL, "127.0.0.1:80"));
    CHECK(lithe_view_origin_passes("http://127.0.0.1:80", "127.0.0.1:80"));
    CHECK(!lithe_view_origin_passes("http://127.0.0.1:81", "127.0.0.1:80"));
    CHECK(!lithe_view_origin_passes("http://localhost:80", "127.0.0.1:80"));
    CHECK(!lithe_view_origin_passes("https://127.0.0.1:80", "127.0.0.1:80"));
    CHECK(!lithe_view_origin_passes("null", "127.0.0.1:80"));
    CHECK(!lithe_view_origin_passes("http://127.0.0.1:80", NULL));
}

TEST(a_status_does_not_replace_an_error_that_a_slow_page_has_not_read) {
    LitheContext *context = lithe_context_create(NULL);
    LitheViewHub hub;
    LitheError error;
    FATAL(lithe_view_hub_begin(context, &hub, &error) == LITHE_OK);
    LitheViewBlob *failure = lithe_view_blob_create(context, 1);
    lithe_view_hub_failure(&hub, failure);
    for (int i = 0; i < 3; i++)
        lithe_view_hub_status(&hub, lithe_view_blob_create(context, 1));
    CHECK(hub.failure == failure && hub.failure_count == 1 && hub.status_count == 3);
    lithe_view_hub_end(&hub);
    lithe_context_destroy(context);
}

TEST(tokens_are_fresh_and_only_the_whole_one_passes) {
    char a[LITHE_VIEW_TOKEN_CAPACITY], b[LITHE_VIEW_TOKEN_CAPACITY], query[64];
    FATAL(lithe_view_token(a) && lithe_view_token(b));
    CHECK(strlen(a) == 32 && strspn(a, "0123456789abcdef") == 32 && strcmp(a, b) != 0);
    snprintf(query, sizeof query, "token=%s", a);
    CHECK(lithe_view_token_passes(query, a));
    CHECK(!lithe_view_token_passes(query, b));
    query[20] = '\0';
    CHECK(!lithe_view_token_passes(query, a));
    CHECK(!lithe_view_token_passes("token=", "") && !lithe_view_token_passes(NULL, a));
    CHECK(!lithe_view_token_passes(a, a));
}
