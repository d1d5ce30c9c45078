// SPDX-License-Identifier: Apache-2.0
// import/xml.h - XML as a tree in our own memory: names, attributes, lines
//
// libxml2 parses; we keep elements with their attributes and the line of their "<". Text between
// tags has no meaning in robot files and is ignored; COLLADA has its numbers there. A document type
// is refused, and with it entities, external files and entity expansion attacks. So are encodings
// other than UTF-8, depths over 200, and more elements or attributes than any robot has.

#ifndef LITHE_IMPORT_XML_H
#define LITHE_IMPORT_XML_H

#include "base/arena.h"

#define LITHE_XML_BYTES (64 << 20) // largest file
#define LITHE_XML_ELEMENTS 500000  // max elements of a robot, all files together
#define LITHE_XML_ATTRIBUTES 1000  // max attributes of one element
#define LITHE_XML_DEPTH 200        // max nesting

typedef struct LitheXmlAttribute {
    const char *name;
    const char *value;
} LitheXmlAttribute;

typedef struct LitheXmlNode {
    const char *name; // with its prefix, "xacro:macro"
    const char *file; // as shown in messages
    const char *text; // of an element without children, if LitheXml keeps texts; else NULL
    int32_t line;
    int32_t attribute_count;
    LitheXmlAttribute *attributes;
    struct LitheXmlNode *parent, *first, *last, *next;
} LitheXmlNode;

/// The trees of one robot. Everything lives in the arena until lithe_xml_end.
typedef struct LitheXml {
    LitheArena arena;
    int32_t element_count;
    bool texts; // keep texts of elements
} LitheXml;

void lithe_xml_begin(LitheXml *xml, LitheContext *context);
void lithe_xml_end(LitheXml *xml);

/// `file` is copied. On success `*root` is the outermost element.
LitheStatus lithe_xml_parse(LitheXml *xml, const char *bytes, size_t length, const char *file,
                            LitheXmlNode **root, LitheError *error);

/// Zeroed memory that lives as long as the trees; NULL when out of memory.
void *lithe_xml_keep(LitheXml *xml, int64_t count, size_t size);
char *lithe_xml_keep_text(LitheXml *xml, const char *text);

/// Value of an attribute, NULL when there is none; first child, or next sibling, with a name.
const char *lithe_xml_value(const LitheXmlNode *node, const char *name);
LitheXmlNode *lithe_xml_child(const LitheXmlNode *node, const char *name);
LitheXmlNode *lithe_xml_next_same(const LitheXmlNode *node);
bool lithe_xml_is(const LitheXmlNode *node, const char *name);

#endif
