# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The loop over every node of a page: it goes once through the tree that Lexbor made, and brings what the walk over it looks at.

The tree is not ours: its functions are called with its own nodes alone, while the caller holds it. A page can make it as deep as it likes;
the way back up stands in memory that grows with the depth.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memset

# Lexbor's functions for programs that do not know its structures, from the library that selectolax brings.
ctypedef void* (*StepTo)(void*) noexcept nogil
ctypedef size_t (*TagOf)(void*) noexcept nogil
ctypedef int (*TypeOf)(void*) noexcept nogil
ctypedef const char* (*TextOf)(void*, size_t*) noexcept nogil

cdef StepTo first_child, next_node, first_attribute, next_attribute
cdef TagOf tag_of
cdef TypeOf type_of
cdef TextOf text_of, name_of, value_of, tag_name_of

FUNCTIONS = (
    "lxb_dom_node_first_child_noi",
    "lxb_dom_node_next_noi",
    "lxb_dom_element_first_attribute_noi",
    "lxb_dom_element_next_attribute_noi",
    "lxb_dom_node_tag_id_noi",
    "lxb_dom_node_text_content",
    "lxb_dom_attr_qualified_name",
    "lxb_dom_attr_value_noi",
    "lxb_dom_element_qualified_name",
    "lxb_dom_node_type_noi",
)
"""Their names, in the order in which `use` wants their addresses."""

cdef enum:
    ELEMENT_TYPE = 1
    TEXT_TYPE = 3
    TEXT_TAG = 2
    KNOWN_TAGS = 256
    DRAWING = 21
    DRAWN = 23
    WORDS = 255

cdef uint32_t LEAVE_OUT = 1u << 31
cdef uint32_t IF_DATA = 1u << 30


def use(addresses not None):
    """Walk through trees by the functions at these addresses."""
    global first_child, next_node, first_attribute, next_attribute, tag_of, type_of, text_of, name_of, value_of, tag_name_of
    cdef size_t at[10]
    for place in range(10):
        at[place] = addresses[place]
    first_child, next_node, first_attribute, next_attribute = <StepTo>at[0], <StepTo>at[1], <StepTo>at[2], <StepTo>at[3]
    tag_of, type_of = <TagOf>at[4], <TypeOf>at[9]
    text_of, name_of, value_of, tag_name_of = <TextOf>at[5], <TextOf>at[6], <TextOf>at[7], <TextOf>at[8]


cdef struct Flat:
    uint8_t* kinds
    uint32_t* ends
    void** above
    uint32_t* places
    Py_ssize_t count, room, depth, deepest


cdef int make_room(Flat* flat) except -1:
    """For one more node, which may be below all others."""
    if flat.count == flat.room:
        flat.room = max(1024, 2 * flat.room)
        flat.kinds = <uint8_t*>PyMem_Realloc(flat.kinds, flat.room)
        flat.ends = <uint32_t*>PyMem_Realloc(flat.ends, flat.room * 4)
        if flat.kinds == NULL or flat.ends == NULL:
            raise MemoryError
    if flat.depth == flat.deepest:
        flat.deepest = max(256, 2 * flat.deepest)
        flat.above = <void**>PyMem_Realloc(flat.above, flat.deepest * sizeof(void*))
        flat.places = <uint32_t*>PyMem_Realloc(flat.places, flat.deepest * 4)
        if flat.above == NULL or flat.places == NULL:
            raise MemoryError
    return 0


cdef str decoded(const char* data, size_t size):
    return PyUnicode_DecodeUTF8(data, size, "replace") if data != NULL and size else ""


cdef bint is_blank(const char* data, size_t size) noexcept nogil:
    cdef size_t place
    for place in range(size):
        if data[place] != 32 and data[place] != 10 and data[place] != 9 and data[place] != 13:
            return False
    return size > 0


cdef dict attributes_of(void* node, tuple names, uint32_t wanted, bint* hides):
    """Those of its attributes that are wanted, each by its bit; and whether `hidden` is among all of them, where that is asked."""
    cdef dict found = {} if wanted else None
    cdef void* attribute = first_attribute(node)
    cdef size_t size = 0
    cdef const char* data
    cdef int number
    cdef bint asked = hides[0]
    hides[0] = False
    while attribute != NULL:
        data = name_of(attribute, &size)
        if asked and size == 6 and memcmp(data, b"hidden", 6) == 0:
            hides[0] = True
        for number in range(len(names)):
            if is_named(<bytes>(<tuple>names[number])[0], data, size):
                if wanted >> number & 1:
                    size = 0
                    data = value_of(attribute, &size)
                    found[(<tuple>names[number])[1]] = None if data == NULL else decoded(data, size)
                break
        attribute = next_attribute(attribute)
    return found


cdef inline bint is_named(bytes name, const char* data, size_t size):
    return <size_t>PyBytes_GET_SIZE(name) == size and memcmp(PyBytes_AS_STRING(name), data, size) == 0


def flat_tree(size_t root, bytes kinds not None, tuple names not None, const uint32_t[::1] wanted not None, bint hides):
    """The tree of a page as lists, from the address of its root. Twin: `_by_nodes` in `parse/flat_tree.py`."""
    cdef Flat flat
    cdef list said = []
    cdef set hidden = set()
    memset(&flat, 0, sizeof(flat))
    try:
        flatten(<void*>root, kinds, names, wanted, hides, &flat, said, hidden)
        return flat.kinds[: flat.count], [flat.ends[place] for place in range(flat.count)], said, hidden
    finally:
        PyMem_Free(flat.kinds)
        PyMem_Free(flat.ends)
        PyMem_Free(flat.above)
        PyMem_Free(flat.places)


cdef int flatten(
    void* node, bytes kinds, tuple names, const uint32_t[::1] wanted, bint hides, Flat* flat, list said, set hidden
) except -1:
    cdef void* following
    cdef Py_ssize_t place, drawings = 0
    cdef size_t tag, size
    cdef const char* data
    cdef int kind
    cdef uint32_t asked_for
    cdef bint hidden_here, is_element
    while True:
        make_room(flat)
        place, tag, following = flat.count, tag_of(node), NULL
        if tag == TEXT_TAG:
            kind, size = WORDS, 0
            data = text_of(node, &size) if type_of(node) == TEXT_TYPE else NULL
            said.append(" " if is_blank(data, size) else decoded(data, size))
        else:
            # Only elements have attributes and names: to ask others for them would read what is not theirs.
            is_element = type_of(node) == ELEMENT_TYPE
            kind = <uint8_t>kinds[tag] if tag < KNOWN_TAGS else DRAWN if drawings and is_element else 0
            asked_for, hidden_here = wanted[kind], hides
            attributes = None
            if (asked_for or hides) and is_element:
                attributes = attributes_of(node, names, asked_for & ~(LEAVE_OUT | IF_DATA), &hidden_here)
                if hidden_here:
                    hidden.add(place)
            if kind == DRAWN:
                size = 0
                data = tag_name_of(node, &size)
                attributes = decoded(data, size), attributes
            said.append(attributes)
            if not asked_for & LEAVE_OUT and not (asked_for & IF_DATA and not is_data(attributes)):
                following = first_child(node)
        flat.kinds[place], flat.ends[place] = kind, place + 1
        flat.count += 1
        if following != NULL:
            flat.above[flat.depth], flat.places[flat.depth] = node, place
            flat.depth += 1
            drawings += kind == DRAWING
            node = following
            continue
        following = next_node(node)
        while following == NULL:
            if flat.depth == 0:
                return 0
            flat.depth -= 1
            node, place = flat.above[flat.depth], flat.places[flat.depth]
            drawings -= flat.kinds[place] == DRAWING
            flat.ends[place] = flat.count
            following = next_node(node)
        node = following


cdef bint is_data(dict attributes):
    return "json" in (attributes.get("type") or "").lower()
