// SPDX-License-Identifier: Apache-2.0
// import/xml.c - reads XML with libxml2 into trees of LitheXmlNode

#include "import/xml.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

#include <stdio.h>
#include <string.h>

// libxml2 passes its parser to every callback; our data are in its _private.
typedef struct Reader {
    LitheXml *xml;
    LitheContext *context;
    const char *file;
    LitheXmlNode *root;
    LitheXmlNode *open; // the innermost element that has not ended
    int32_t depth;
    char *text; // [text_length] of the innermost element so far
    int64_t text_length, text_capacity;
    LitheStatus status; // of the first failure; later ones are ignored
    LitheError *error;
} Reader;

// --- memory --------------------------------------------------------------------------------------

void lithe_xml_begin(LitheXml *xml, LitheContext *context) {
    *xml = (LitheXml){0};
    lithe_arena_begin(&xml->arena, context);
}

void lithe_xml_end(LitheXml *xml) {
    lithe_arena_end(&xml->arena);
}

void *lithe_xml_keep(LitheXml *xml, int64_t count, size_t size) {
    void *block = lithe_arena_push(&xml->arena, count, size);
    if (block)
        memset(block, 0, (size_t)count * size);
    return block;
}

char *lithe_xml_keep_text(LitheXml *xml, const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = lithe_arena_push(&xml->arena, (int64_t)bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

// --- from libxml2 --------------------------------------------------------------------------------

static Reader *reader_of(void *parser) {
    return ((xmlParserCtxtPtr)parser)->_private;
}

/// Keeps the first failure and stops the parser.
static void stop(xmlParserCtxtPtr parser, LitheStatus status, int32_t line, int32_t column,
                 const char *text) {
    Reader *reader = parser->_private;
    if (!reader->status)
        reader->status =
            lithe_fail_at(reader->error, status, reader->file, line, column, "%s", text);
    xmlStopParser(parser);
}

static void stop_memory(xmlParserCtxtPtr parser) {
    Reader *reader = parser->_private;
    if (!reader->status)
        reader->status = lithe_fail_memory(reader->error, "the tree of an XML file");
    xmlStopParser(parser);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError ErrorFromLibxml2;
#else
typedef xmlError ErrorFromLibxml2;
#endif

static void on_error(void *parser, ErrorFromLibxml2 *from) {
    Reader *reader = reader_of(parser);
    // undeclared namespaces are common in robot files, and harmless
    if (reader->status || from->level < XML_ERR_FATAL)
        return;
    if (from->code == XML_ERR_NO_MEMORY) {
        stop_memory(parser);
        return;
    }
    char text[300];
    snprintf(text, sizeof text, "%s", from->message ? from->message : "not XML");
    text[strcspn(text, "\n")] = 0;
    lithe_text_tame(text);
    if (strncmp(text, "Excessive depth", 15) == 0)
        snprintf(text, sizeof text, "elements nest deeper than %d", LITHE_XML_DEPTH);
    stop(parser, LITHE_BAD_INPUT, from->line, from->int2 > 0 ? from->int2 : 0, text);
}

// Line of the "<" of the tag that was just read: a tag contains no other "<".
static int32_t line_of_tag(xmlParserCtxtPtr parser) {
    const xmlChar *at = parser->input->cur;
    int32_t line = parser->input->line;
    while (at > parser->input->base && *at != '<') {
        at--;
        line -= *at == '\n';
    }
    return line > 0 ? line : 1;
}

static void on_type(void *parser, const xmlChar *name, const xmlChar *id, const xmlChar *system) {
    (void)name, (void)id, (void)system;
    stop(parser, LITHE_BAD_INPUT, ((xmlParserCtxtPtr)parser)->input->line, 0,
         "a document type (<!DOCTYPE ...>) is refused, because it could define entities: remove "
         "it");
}

/// Writes "prefix:name", or the name alone, to `to`; returns the byte after its terminating 0.
static char *put_name(char *to, const xmlChar *prefix, const xmlChar *name) {
    if (prefix)
        to += sprintf(to, "%s:", (const char *)prefix);
    return to + sprintf(to, "%s", (const char *)name) + 1;
}

static size_t name_bytes(const xmlChar *prefix, const xmlChar *name) {
    return (prefix ? strlen((const char *)prefix) + 1 : 0) + strlen((const char *)name) + 1;
}

// one block per element: the node, its attributes, then all its texts
static LitheXmlNode *make_node(Reader *reader, const xmlChar *name, const xmlChar *prefix,
                               int count, const xmlChar **from) {
    size_t texts = name_bytes(prefix, name);
    for (int i = 0; i < count; i++)
        texts += name_bytes(from[5 * i + 1], from[5 * i]) +
                 (size_t)(from[5 * i + 4] - from[5 * i + 3]) + 1;
    size_t fixed = sizeof(LitheXmlNode) + (size_t)count * sizeof(LitheXmlAttribute);
    LitheXmlNode *node = lithe_xml_keep(reader->xml, (int64_t)(fixed + texts), 1);
    if (!node)
        return NULL;
    char *to = (char *)node + fixed;
    node->attributes = (LitheXmlAttribute *)(node + 1);
    node->attribute_count = count;
    node->name = to;
    to = put_name(to, prefix, name);
    for (int i = 0; i < count; i++) {
        size_t length = (size_t)(from[5 * i + 4] - from[5 * i + 3]);
        node->attributes[i].name = to;
        to = put_name(to, from[5 * i + 1], from[5 * i]);
        node->attributes[i].value = to;
        memcpy(to, from[5 * i + 3], length);
        to += length + 1;
    }
    return node;
}

static void on_start(void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                     int space_count, const xmlChar **spaces, int count, int default_count,
                     const xmlChar **attributes) {
    Reader *reader = reader_of(parser);
    (void)space, (void)space_count, (void)spaces, (void)default_count;
    if (reader->status)
        return;
    int32_t line = line_of_tag(parser);
    char text[100];
    if (reader->depth == LITHE_XML_DEPTH) {
        snprintf(text, sizeof text, "elements nest deeper than %d", LITHE_XML_DEPTH);
        stop(parser, LITHE_BAD_INPUT, line, 0, text);
        return;
    }
    if (reader->xml->element_count == LITHE_XML_ELEMENTS) {
        snprintf(text, sizeof text, "more than %d elements", LITHE_XML_ELEMENTS);
        stop(parser, LITHE_BAD_INPUT, line, 0, text);
        return;
    }
    LitheXmlNode *node = make_node(reader, name, prefix, count, attributes);
    if (!node) {
        stop_memory(parser);
        return;
    }
    node->file = reader->file;
    node->line = line;
    node->parent = reader->open;
    if (!reader->open)
        reader->root = node;
    else if (reader->open->last)
        reader->open->last->next = node;
    else
        reader->open->first = node;
    if (reader->open)
        reader->open->last = node;
    reader->open = node;
    reader->text_length = 0;
    reader->depth++;
    reader->xml->element_count++;
}

static void on_end(void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
    Reader *reader = reader_of(parser);
    (void)name, (void)prefix, (void)space;
    if (reader->status || !reader->open)
        return;
    if (reader->text_length > 0 && !reader->open->first) {
        char *text = lithe_xml_keep(reader->xml, reader->text_length + 1, 1);
        if (!text) {
            stop_memory(parser);
            return;
        }
        memcpy(text, reader->text, (size_t)reader->text_length);
        reader->open->text = text;
    }
    reader->text_length = 0;
    reader->open = reader->open->parent;
    reader->depth--;
}

// a text comes in pieces
static void on_text(void *parser, const xmlChar *text, int length) {
    Reader *reader = reader_of(parser);
    if (reader->status || !reader->open || length <= 0)
        return;
    int64_t wanted = reader->text_length + length;
    if (wanted > reader->text_capacity) {
        int64_t capacity = 2 * wanted;
        char *more = lithe_alloc(reader->context, (size_t)capacity);
        if (!more) {
            stop_memory(parser);
            return;
        }
        if (reader->text_length > 0)
            memcpy(more, reader->text, (size_t)reader->text_length);
        lithe_free(reader->context, reader->text);
        reader->text = more;
        reader->text_capacity = capacity;
    }
    memcpy(reader->text + reader->text_length, text, (size_t)length);
    reader->text_length = wanted;
}

// --- before libxml2 ------------------------------------------------------------------------------

// libxml2 compares every attribute of an element with every other: a tag with a million of them
// would take hours. Comments and quoted texts are counted as well, so the limit is generous.
static LitheStatus check_tags(const char *bytes, size_t length, const char *file,
                              LitheError *error) {
    int32_t line = 1, tag_line = 1, equals = 0;
    for (size_t i = 0; i < length; i++) {
        line += bytes[i] == '\n';
        if (bytes[i] == '<' || bytes[i] == '>') {
            equals = 0;
            tag_line = line;
        }
        equals += bytes[i] == '=';
        if (equals > LITHE_XML_ATTRIBUTES)
            return lithe_fail_at(error, LITHE_BAD_INPUT, file, tag_line, 0,
                                 "more than %d attributes in one element", LITHE_XML_ATTRIBUTES);
    }
    return LITHE_OK;
}

static LitheStatus check_bytes(const char *bytes, size_t length, const char *file,
                               LitheError *error) {
    if (length > LITHE_XML_BYTES)
        return lithe_fail_at(error, LITHE_BAD_INPUT, file, 0, 0, "%zu bytes, at most %d are read",
                             length, LITHE_XML_BYTES);
    size_t good = lithe_utf8_good(bytes, length);
    if (good < length) {
        int32_t line = 1;
        for (size_t i = 0; i < good; i++)
            line += bytes[i] == '\n';
        return lithe_fail_at(error, LITHE_BAD_INPUT, file, line, 0,
                             "byte 0x%02x: this is not UTF-8 text", (unsigned char)bytes[good]);
    }
    return check_tags(bytes, length, file, error);
}

LitheStatus lithe_xml_parse(LitheXml *xml, const char *bytes, size_t length, const char *file,
                            LitheXmlNode **root, LitheError *error) {
    LitheStatus status = check_bytes(bytes, length, file, error);
    if (status)
        return status;
    Reader reader = {.xml = xml, .context = xml->arena.context, .error = error};
    reader.file = lithe_xml_keep_text(xml, file);
    xmlParserCtxtPtr parser = reader.file ? xmlNewParserCtxt() : NULL;
    if (!parser)
        return lithe_fail_memory(error, "a reader of XML");

    // only our callbacks: libxml2 builds no tree, expands no entities, prints nothing
    parser->_private = &reader;
    memset(parser->sax, 0, sizeof *parser->sax);
    parser->sax->initialized = XML_SAX2_MAGIC;
    parser->sax->internalSubset = on_type;
    parser->sax->startElementNs = on_start;
    parser->sax->endElementNs = on_end;
    parser->sax->characters = xml->texts ? on_text : NULL;
    parser->sax->serror = on_error;
    int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    xmlDocPtr none = xmlCtxtReadMemory(parser, bytes, (int)length, NULL, "UTF-8", options);
    bool good = parser->wellFormed;
    xmlFreeDoc(none);
    if (parser->myDoc)
        xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
    lithe_free(reader.context, reader.text);

    if (reader.status)
        return reader.status;
    if (!good || !reader.root)
        return lithe_fail_at(error, LITHE_BAD_INPUT, file, 0, 0, "not XML");
    *root = reader.root;
    return LITHE_OK;
}

// --- queries -------------------------------------------------------------------------------------

const char *lithe_xml_value(const LitheXmlNode *node, const char *name) {
    for (int32_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return node->attributes[i].value;
    return NULL;
}

bool lithe_xml_is(const LitheXmlNode *node, const char *name) {
    return strcmp(node->name, name) == 0;
}

LitheXmlNode *lithe_xml_child(const LitheXmlNode *node, const char *name) {
    LitheXmlNode *child = node->first;
    while (child && !lithe_xml_is(child, name))
        child = child->next;
    return child;
}

LitheXmlNode *lithe_xml_next_same(const LitheXmlNode *node) {
    LitheXmlNode *next = node->next;
    while (next && strcmp(next->name, node->name) != 0)
        next = next->next;
    return next;
}
