// SPDX-License-Identifier: Apache-2.0
// view/server.c - HTTP and WebSocket with civetweb; access control is here and in guard.c

#include "view/server.h"

#include "base/memory.h"
#include "base/status.h"
#include "view/assets.h"
#include "view/client.h"
#include "view/guard.h"
#include "view/text.h"
#include "view/waiting.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

struct LitheViewServer {
    LitheContext *context;
    struct mg_context *http;
    LitheViewShared shared;
    LitheViewShared second; // of another recording beside it; its reader is NULL if there is none
    LitheViewHub own_hub;   // of a replay
    LitheViewAssets assets;
    LitheViewWaiting waiting;
    bool loopback, embed;
    char token[LITHE_VIEW_TOKEN_CAPACITY];
    char address[20]; // to connect to when stopping
    _Atomic uint16_t port;
    atomic_bool stopped;
    char url[256];
    pthread_mutex_t saying; // guards log: every thread of civetweb may write to it
    char log[256];          // its last message
    atomic_int pages;
};

// --- responses -----------------------------------------------------------------------------------

// The page may run its own scripts and connect to its own server, and may be shown in a frame of
// `ancestors` only. The host of its WebSocket is appended, because not every browser treats it as
// 'self'.
#define SECURITY(ancestors) \
    "X-Content-Type-Options: nosniff\r\n" \
    "Referrer-Policy: no-referrer\r\n" \
    "Cross-Origin-Resource-Policy: same-origin\r\n" \
    "Cache-Control: no-cache\r\n" \
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline'; " \
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; " \
    "frame-ancestors " ancestors \
    "; base-uri 'none'; form-action 'none'; connect-src 'self' data: blob:"
// its own frames: two recordings side by side
static const char security[] = SECURITY("'self'");
// notebooks of this machine
static const char security_embedded[] =
    SECURITY("http://localhost:* http://127.0.0.1:* vscode-webview:");

static int answer(struct mg_connection *connection, int code, const char *name, const char *text) {
    bool head = strcmp(mg_get_request_info(connection)->request_method, "HEAD") == 0;
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
              "%zu\r\nConnection: close\r\n%s%s\r\n\r\n%s",
              code, name, strlen(text), code == 405 ? "Allow: GET, HEAD\r\n" : "", security,
              head ? "" : text);
    return code;
}

// `host` has passed the guard
static int answer_file(struct mg_connection *connection, const LitheViewAsset *file,
                       const char *host) {
    const LitheViewServer *server = mg_get_user_data(mg_get_context(connection));
    bool plain = host[0] != '['; // policies do not support IPv6 numbers
    bool head = strcmp(mg_get_request_info(connection)->request_method, "HEAD") == 0;
    mg_printf(connection,
              "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %lld\r\nConnection: "
              "close\r\n%s%s%s\r\n\r\n",
              file->type, (long long)file->bytes, server->embed ? security_embedded : security,
              plain ? " ws://" : "", plain ? host : "");
    if (!head)
        mg_write(connection, file->data, (size_t)file->bytes);
    return 200;
}

// Returns 0 to accept the WebSocket.
static int begin_stream(LitheViewServer *server, struct mg_connection *connection) {
    const struct mg_request_info *request = mg_get_request_info(connection);
    const char *upgrade = mg_get_header(connection, "Upgrade");
    if (!lithe_view_token_passes(request->query_string, server->token))
        return answer(
            connection, 403, "Forbidden",
            "The token is missing or wrong: open the address that the program printed.\n");
    if (!upgrade)
        return answer(connection, 426, "Upgrade Required", "This is a WebSocket.\n");
    if (atomic_load(&server->pages) >= LITHE_VIEW_PAGES)
        return answer(connection, 503, "Service Unavailable", "Too many pages are connected.\n");
    return 0;
}

// Number of headers with this name. A repeated header is ambiguous: a proxy may use the other one.
static int headers_named(const struct mg_request_info *request, const char *name) {
    int count = 0;
    for (int i = 0; i < request->num_headers; i++)
        count += strcasecmp(request->http_headers[i].name, name) == 0;
    return count;
}

static int begin_request(struct mg_connection *connection) {
    LitheViewServer *server = mg_get_user_data(mg_get_context(connection));
    const struct mg_request_info *request = mg_get_request_info(connection);
    const char *host = mg_get_header(connection, "Host");
    lithe_view_waiting_requested(&server->waiting, request->remote_addr,
                                 (uint16_t)request->remote_port);
    if (headers_named(request, "Host") > 1 || headers_named(request, "Origin") > 1)
        return answer(connection, 400, "Bad Request", "Only one Host and one Origin.\n");
    if (!lithe_view_host_passes(host, server->loopback))
        return answer(connection, 403, "Forbidden", "Unknown host name.\n");
    if (!lithe_view_origin_passes(mg_get_header(connection, "Origin"), host))
        return answer(connection, 403, "Forbidden", "Pages of other origins are not allowed.\n");
    if (strcmp(request->request_method, "GET") != 0 && strcmp(request->request_method, "HEAD") != 0)
        return answer(connection, 405, "Method Not Allowed", "Only GET and HEAD.\n");
    if (!request->local_uri)
        return answer(connection, 400, "Bad Request", "That is not on this server.\n");
    if (strcmp(request->local_uri, "/stream") == 0)
        return begin_stream(server, connection);
    const LitheViewAsset *file = lithe_view_assets_find(&server->assets, request->local_uri);
    return file ? answer_file(connection, file, host)
                : answer(connection, 404, "Not Found", "There is no such page.\n");
}

// Called when a thread has taken a connection. Of the threads that no page occupies, at most half
// may wait for requests.
static int begin_connection(const struct mg_connection *connection, void **data) {
    LitheViewServer *server = mg_get_user_data(mg_get_context(connection));
    uint16_t port = atomic_load(&server->port);
    if (port)
        lithe_view_waiting_limit(&server->waiting, port,
                                 (LITHE_VIEW_THREADS - atomic_load(&server->pages)) / 2);
    (void)data;
    return 0;
}

// messages of civetweb are only shown in our errors
static int keep_message(const struct mg_connection *connection, const char *message) {
    struct mg_context *http = connection ? mg_get_context(connection) : NULL;
    LitheViewServer *server = http ? mg_get_user_data(http) : NULL;
    if (server) {
        pthread_mutex_lock(&server->saying);
        snprintf(server->log, sizeof server->log, "%s", message);
        pthread_mutex_unlock(&server->saying);
    }
    return 1;
}

// Replaces the error pages of civetweb (for invalid HTTP): they reveal nothing about the machine.
static int plain_error(struct mg_connection *connection, int status, const char *text) {
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: 0\r\nConnection: "
              "close\r\n\r\n",
              status, mg_get_response_code_text(connection, status));
    (void)text;
    return 0;
}

// --- pages ---------------------------------------------------------------------------------------

static int connect_page(const struct mg_connection *connection, void *user) {
    (void)connection;
    LitheViewServer *server = user;
    if (atomic_fetch_add(&server->pages, 1) < LITHE_VIEW_PAGES)
        return 0;
    atomic_fetch_sub(&server->pages, 1);
    return 1;
}

static void ready_page(struct mg_connection *connection, void *user) {
    LitheViewServer *server = user;
    bool second = lithe_view_second_requested(mg_get_request_info(connection)->query_string);
    LitheViewShared *shared = second && server->second.reader ? &server->second : &server->shared;
    LitheViewClient *client = lithe_view_client_create(shared, connection);
    mg_set_user_connection_data(connection, client);
    if (client)
        atomic_fetch_add(&server->shared.hub->viewers, 1);
}

static int take_message(struct mg_connection *connection, int flags, char *data, size_t length,
                        void *user) {
    (void)user;
    LitheViewClient *client = mg_get_user_connection_data(connection);
    int opcode = flags & 0x0f;
    if (!client || opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE)
        return 0;
    if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG)
        return 1;
    // one complete text; pages send no fragments
    if (opcode != MG_WEBSOCKET_OPCODE_TEXT || !(flags & 0x80))
        return 0;
    return lithe_view_client_take(client, data, length);
}

static void close_page(const struct mg_connection *connection, void *user) {
    LitheViewServer *server = user;
    LitheViewClient *client = mg_get_user_connection_data(connection);
    if (client)
        atomic_fetch_sub(&server->shared.hub->viewers, 1);
    lithe_view_client_destroy(client);
    atomic_fetch_sub(&server->pages, 1);
}

// --- begin and end -------------------------------------------------------------------------------

bool lithe_view_is_loopback(const char *address) {
    unsigned char number[4];
    return !address || (inet_pton(AF_INET, address, number) == 1 && number[0] == 127);
}

static bool listen_on(LitheViewServer *server, const char *address, int32_t port) {
    char ports[96], threads[16];
    snprintf(threads, sizeof threads, "%d", LITHE_VIEW_THREADS);
    snprintf(ports, sizeof ports, "%s:%d", address, (int)port);
    // a connected page occupies a thread; some are left for its files
    const char *options[] = {"listening_ports",
                             ports,
                             "num_threads",
                             threads,
                             "tcp_nodelay",
                             "1",
                             "request_timeout_ms",
                             "10000",
                             "websocket_timeout_ms",
                             "20000",
                             "enable_websocket_ping_pong",
                             "yes",
                             "enable_directory_listing",
                             "no",
                             "enable_keep_alive",
                             "no",
                             "max_request_size",
                             "8192",
                             NULL};
    const struct mg_callbacks callbacks = {.init_connection = begin_connection,
                                           .begin_request = begin_request,
                                           .log_message = keep_message,
                                           .http_error = plain_error};
    server->http = mg_start(&callbacks, server, options);
    if (server->http)
        mg_set_websocket_handler(server->http, "/stream", connect_page, ready_page, take_message,
                                 close_page, server);
    return server->http != NULL;
}

static LitheStatus open_port(LitheViewServer *server, const LitheViewServerDef *def,
                             LitheError *error) {
    const char *address = def->address ? def->address : "127.0.0.1";
    unsigned char number[16];
    if (inet_pton(AF_INET, address, number) != 1)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "the address is '%.60s', must be a number such as 127.0.0.1", address);
    snprintf(server->address, sizeof server->address, "%s",
             strcmp(address, "0.0.0.0") == 0 ? "127.0.0.1" : address);
    bool open = listen_on(server, address, def->port > 0 ? def->port : LITHE_VIEW_PORT);
    if (!open && def->port == 0)
        open = listen_on(server, address, 0);
    if (!open)
        return lithe_fail(error, LITHE_FILE_ERROR,
                          "%s port %d: cannot listen there: taken by another program, or not "
                          "allowed%s%s",
                          address, (int)(def->port > 0 ? def->port : LITHE_VIEW_PORT),
                          server->log[0] ? "; " : "", server->log);
    struct mg_server_port ports[1] = {{0}};
    mg_get_server_ports(server->http, 1, ports);
    atomic_store(&server->port, (uint16_t)ports[0].port);
    snprintf(server->url, sizeof server->url, "http://%s:%d/#token=%s%s", server->address,
             ports[0].port, server->token, server->second.reader ? "&pair" : "");
    return LITHE_OK;
}

static LitheStatus make_hello(LitheViewShared *shared, const char *description, LitheError *error) {
    LitheBytes text = {.context = shared->context};
    lithe_view_put(&text, "{\"is\":\"hello\",\"version\":%d,\"scene\":", LITHE_VIEW_VERSION);
    lithe_bytes_put(&text, description, (int64_t)strlen(description));
    lithe_view_put(&text, "}");
    shared->hello = (char *)text.at;
    shared->hello_bytes = text.count;
    return text.failed ? lithe_fail_memory(error, "the greeting of the viewer") : LITHE_OK;
}

LitheStatus lithe_view_server_start(LitheContext *context, const LitheViewServerDef *def,
                                    LitheViewServer **server, LitheError *error) {
    LitheViewServer *made = lithe_alloc(context, sizeof *made);
    if (!made)
        return lithe_fail_memory(error, "the server of the viewer");
    made->context = context;
    made->assets.context = context;
    made->loopback = lithe_view_is_loopback(def->address);
    made->embed = def->embed;
    made->shared = (LitheViewShared){.context = context, .hub = def->hub, .reader = def->reader};
    made->second = (LitheViewShared){.context = context, .reader = def->second};
    LitheStatus status = LITHE_OK;
    pthread_mutex_init(&made->shared.reading, NULL);
    pthread_mutex_init(&made->second.reading, NULL);
    pthread_mutex_init(&made->saying, NULL);
    lithe_view_waiting_begin(&made->waiting);
    if (!def->hub) {
        status = lithe_view_hub_begin(context, &made->own_hub, error);
        if (status == LITHE_OK)
            made->shared.hub = &made->own_hub;
    }
    if (status == LITHE_OK && def->token)
        snprintf(made->token, sizeof made->token, "%s", def->token);
    else if (status == LITHE_OK && !lithe_view_token(made->token))
        status = lithe_fail(error, LITHE_NOT_SUPPORTED, "the system has no random numbers");
    if (status == LITHE_OK)
        status = make_hello(&made->shared, def->description, error);
    made->second.hub = made->shared.hub;
    if (status == LITHE_OK && def->second)
        status = make_hello(&made->second, def->second_description, error);
    if (status == LITHE_OK)
        status = lithe_view_assets_load(context, def->assets, &made->assets, error);
    if (status == LITHE_OK)
        status = open_port(made, def, error);
    if (status == LITHE_OK)
        *server = made;
    else
        lithe_view_server_stop(made);
    return status;
}

// Shuts the open connections: civetweb waits up to two seconds for each.
static void cut_off(const LitheViewServer *server) {
    enum { FILES = 4096 }; // max descriptors examined; others wait those two seconds
    for (int file = 0; file < FILES; file++) {
        struct sockaddr_in own = {0}, other = {0};
        socklen_t own_size = sizeof own, other_size = sizeof other;
        if (getsockname(file, (struct sockaddr *)&own, &own_size) == 0 &&
            own.sin_family == AF_INET && ntohs(own.sin_port) == server->port &&
            getpeername(file, (struct sockaddr *)&other, &other_size) == 0)
            shutdown(file, SHUT_RDWR);
    }
}

// civetweb waits up to two seconds on its port before it checks whether to stop. Connecting wakes
// it, and is repeated until it has stopped. Pages that do not close in time are shut.
static void *knock(void *user) {
    enum { PATIENCE = 10 }; // attempts
    LitheViewServer *server = user;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(server->port)};
    inet_pton(AF_INET, server->address, &place.sin_addr);
    for (int knocks = 1; !atomic_load(&server->stopped); knocks++) {
        int door = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (door >= 0) {
            (void)!connect(door, (struct sockaddr *)&place, sizeof place);
            close(door);
        }
        usleep(10000);
        if (knocks % PATIENCE == 0)
            cut_off(server);
    }
    return NULL;
}

static void stop_http(LitheViewServer *server) {
    pthread_t knocker;
    bool knocks = pthread_create(&knocker, NULL, knock, server) == 0;
    mg_stop(server->http);
    atomic_store(&server->stopped, true);
    if (knocks)
        pthread_join(knocker, NULL);
}

void lithe_view_server_stop(LitheViewServer *server) {
    if (!server)
        return;
    if (server->shared.hub)
        lithe_view_hub_close(server->shared.hub);
    if (server->http)
        stop_http(server);
    if (server->shared.hub == &server->own_hub)
        lithe_view_hub_end(&server->own_hub);
    pthread_mutex_destroy(&server->shared.reading);
    pthread_mutex_destroy(&server->second.reading);
    pthread_mutex_destroy(&server->saying);
    lithe_view_waiting_end(&server->waiting);
    lithe_view_assets_release(&server->assets);
    lithe_free(server->context, server->shared.hello);
    lithe_free(server->context, server->second.hello);
    lithe_free(server->context, server);
}

const char *lithe_view_server_url(const LitheViewServer *server) {
    return server->url;
}
