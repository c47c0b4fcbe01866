# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Loops over the links of a page: where they lead, what is known of them, what is made of them. Each does just what its twin in Python does.

A page has some sixty links, and a crawl meets the same urls again and again. What is remembered of them lies far apart in memory, so what
costs is the way there. Here no url is looked up by its letters: its hash, which Python keeps with it, says where its number stands.
"""

cimport cython
from cpython.object cimport PyObject_Hash
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy

cdef extern from *:
    """
    #include <stddef.h>

    static int is_sign(unsigned char c) {
        unsigned char small = c | 0x20;
        return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
    }

    /* Whether it is a path that needs no resolving: it begins with a letter or a digit, has nothing but these and `_~/.-`, and no dot behind
       a slash. */
    static int is_plain(const char *path, ptrdiff_t size) {
        if (size == 0 || !is_sign((unsigned char)path[0])) return 0;
        for (ptrdiff_t i = 1; i < size; i++) {
            char c = path[i];
            if (!is_sign((unsigned char)c) && c != '_' && c != '~' && c != '/' && c != '-' && !(c == '.' && path[i - 1] != '/')) return 0;
        }
        return 1;
    }

    /* Up to and with which place `http://host:80/` goes; 0 if it does not begin so. */
    static ptrdiff_t end_of_origin(const char *href, ptrdiff_t size) {
        ptrdiff_t start = size > 7 && memcmp(href, "http://", 7) == 0 ? 7 : size > 8 && memcmp(href, "https://", 8) == 0 ? 8 : 0;
        ptrdiff_t at = start;
        while (at < size && (is_sign((unsigned char)href[at]) || href[at] == '.' || href[at] == ':' || href[at] == '-')) at++;
        return start && at > start && at < size && href[at] == '/' ? at + 1 : 0;
    }

    static inline void fetch_soon(const void *place) { __builtin_prefetch(place); }

    static PyObject *field(PyObject *row, Py_ssize_t place) {
        if (!PyTuple_Check(row) || place < 0 || PyTuple_GET_SIZE(row) <= place) {
            PyErr_Format(PyExc_TypeError, "%.100s has no field %zd", Py_TYPE(row)->tp_name, place);
            return NULL;
        }
        PyObject *value = PyTuple_GET_ITEM(row, place);
        Py_INCREF(value);
        return value;
    }

    /* A named tuple whose fields are still empty. */
    static PyObject *new_named(PyObject *type, Py_ssize_t size) {
        PyObject *made = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, size);
    #if PY_VERSION_HEX >= 0x030E0000
        /* From Python 3.14 on a tuple keeps its hash, and -1 says that it has none yet. */
        if (made) ((PyTupleObject *)made)->ob_hash = -1;
    #endif
        return made;
    }
    """
    int is_plain(const char* path, Py_ssize_t size) noexcept
    Py_ssize_t end_of_origin(const char* href, Py_ssize_t size) noexcept
    void fetch_soon(const void* place) noexcept
    object field(object row, Py_ssize_t place)
    object new_named(object type, Py_ssize_t size)

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text) noexcept
    void* PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 highest)

cdef enum:
    HIGHEST_ASCII = 127
    # Longer ones are left to the twin: to look for one it would be copied.
    LONGEST_ORIGIN = 300

# The fields of a `Candidate` and of a `Link`; a test compares them with those in `model.py`.
cdef enum:
    CANDIDATE_URL, CANDIDATE_PRIORITY, CANDIDATE_DEPTH, CANDIDATE_PARENT, CANDIDATE_ANCHOR, CANDIDATE_CHAIN
    CANDIDATE_FIELDS

cdef enum:
    LINK_SOURCE, LINK_TARGET, LINK_TEXT, LINK_START, LINK_END, LINK_HEADING, LINK_POSITION, LINK_REL, LINK_NAVIGATION, LINK_KIND
    LINK_FIELDS
    ANCHOR_FIELDS = 5


cdef inline void put(object named, Py_ssize_t place, object value) noexcept:
    Py_INCREF(value)
    PyTuple_SET_ITEM(named, place, value)


# ── where links lead ──


cdef inline object glued(str start, Py_ssize_t length, const char* rest, Py_ssize_t size):
    """So many characters of one text, and another behind them; both are ASCII."""
    cdef object whole = PyUnicode_New(length + size, HIGHEST_ASCII)
    memcpy(PyUnicode_DATA(whole), PyUnicode_DATA(start), length)
    memcpy(<char*>PyUnicode_DATA(whole) + length, rest, size)
    return whole


def joined(str origin not None, str directory not None, list hrefs not None, dict origins not None):
    """Where the links of a page lead, and the places of those that must be asked for otherwise: they are not plain, or their origin is not known.

    Twin: `_resolve` in `urls.py`.
    """
    cdef list found = [None] * len(hrefs), left = []
    cdef Py_ssize_t place, size, end
    cdef const char* data
    cdef str href
    if not origin:
        raise ValueError("an origin ends with a slash")
    if not (PyUnicode_IS_ASCII(origin) and PyUnicode_IS_ASCII(directory)):
        return found, list(range(len(hrefs)))
    for place in range(len(hrefs)):
        written = hrefs[place]
        # Only a plain `str` has its letters where these functions look for them.
        if type(written) is not str or not PyUnicode_IS_ASCII(written):
            left.append(place)
            continue
        href = written
        data, size = <const char*>PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href)
        if is_plain(data, size):
            found[place] = glued(directory, PyUnicode_GET_LENGTH(directory), data, size)
        elif size and data[0] == c"/" and (size == 1 or is_plain(data + 1, size - 1)):
            found[place] = glued(origin, PyUnicode_GET_LENGTH(origin) - 1, data, size)
        else:
            end = end_of_origin(data, size)
            known = written_origin(origin, href, data, end, origins) if 0 < end <= LONGEST_ORIGIN else None
            if known is None or not PyUnicode_IS_ASCII(known) or (end < size and not is_plain(data + end, size - end)):
                left.append(place)
            elif known:
                found[place] = glued(known, PyUnicode_GET_LENGTH(known), data + end, size - end)
    return found, left


cdef str written_origin(str origin, str href, const char* data, Py_ssize_t end, dict origins):
    """The one spelling of the origin that a link spells out; empty if there is none, None if it is not known."""
    if end == PyUnicode_GET_LENGTH(origin) and memcmp(PyUnicode_DATA(origin), data, end) == 0:
        return origin
    return origins.get(href[:end])


# ── what is known of urls ──


cdef int check_table(const int64_t[:, ::1] table) except -1:
    if table.shape[0] < 1 or table.shape[0] & (table.shape[0] - 1) or table.shape[1] != 2:
        raise ValueError("a table has two columns, and a power of two of rows")
    return 0


def numbers_of(rows not None, Py_ssize_t column, int64_t[:, ::1] table not None, ask):
    """The number of the url in that column of each row. Twin: `Remembered.of` in `remembered.py`."""
    cdef list said = []
    cdef Py_ssize_t mask = table.shape[0] - 1, slot
    cdef int64_t mark
    check_table(table)
    # All are asked for before the first is needed: so the ways to them are gone at the same time.
    for row in rows:
        fetch_soon(&table[PyObject_Hash(field(row, column)) & mask, 0])
    for row in rows:
        url = field(row, column)
        # Other texts may have the bytes of a url, and so its hash.
        if not isinstance(url, str) or not PyUnicode_IS_ASCII(url):
            said.append(ask(url))
            continue
        mark = PyObject_Hash(url)
        slot = mark & mask
        if table[slot, 0] != mark:
            table[slot, 1] = ask(url)
            table[slot, 0] = mark
        said.append(table[slot, 1])
    return said


# A priority may be an object of somebody's strategy, whose `__float__` could shorten the lists meanwhile.
@cython.boundscheck(True)
def above(list candidates not None, list keys not None, const int64_t[:, ::1] table not None):
    """The candidates that may change something, each with its key. Twin: `SeenCache.above` in `frontier/seen_cache.py`."""
    cdef list found = []
    cdef Py_ssize_t place, slot, mask = table.shape[0] - 1
    cdef int64_t key
    cdef double floor
    check_table(table)
    if len(keys) != len(candidates):
        raise ValueError("as many keys as candidates")
    for place in range(len(candidates)):
        key = keys[place]
        fetch_soon(&table[key & mask, 0])
    for place in range(len(candidates)):
        key = keys[place]
        slot = key & mask
        memcpy(&floor, &table[slot, 1], 8)
        if table[slot, 0] != key or floor < <double>field(candidates[place], CANDIDATE_PRIORITY):
            found.append((keys[place], candidates[place]))
    return found


# ── what is made of links ──


def candidates(type made not None, links not None, list priorities not None, depth, url):
    """A candidate of each link that is not dropped. Twin: `_candidates` in `crawl.py`."""
    cdef list found = []
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t start, end
    cdef tuple no_chain = ()
    for link in links:
        if place == len(priorities):
            break
        priority = priorities[place]
        place += 1
        # As the twin asks: what is neither equal nor unequal to it, as a masked number, is dropped.
        if not (<double>priority != -INFINITY if type(priority) is float else priority != -INFINITY):
            continue
        target, text, start, end = field(link, LINK_TARGET), field(link, LINK_TEXT), field(link, LINK_START), field(link, LINK_END)
        anchor = (<str>text)[start:end] if type(text) is str else text[start:end]
        # From here on nothing runs that could see a candidate without its fields.
        candidate = new_named(made, CANDIDATE_FIELDS)
        put(candidate, CANDIDATE_URL, target)
        put(candidate, CANDIDATE_PRIORITY, priority)
        put(candidate, CANDIDATE_DEPTH, depth)
        put(candidate, CANDIDATE_PARENT, url)
        put(candidate, CANDIDATE_ANCHOR, anchor)
        put(candidate, CANDIDATE_CHAIN, no_chain)
        found.append(candidate)
    return found


def seen_links(
    type made not None, url, text, list anchors not None, list spans not None, list navigation not None, list above not None, dict chosen not None
):
    """The links that a person can click. Twin: `_seen_links` in `parse/html.py`."""
    cdef list links = []
    cdef tuple anchor, span
    cdef dict attributes
    cdef Py_ssize_t number, heading, count = min(len(anchors), len(spans), len(navigation))
    for target, place in chosen.items():
        number = place
        if not 0 <= number < count:
            raise IndexError(f"no anchor {number} among {count}")
        anchor, span = anchors[number], spans[number]
        if len(anchor) != ANCHOR_FIELDS or len(span) != 2:
            raise ValueError("an anchor has five fields, and its span two")
        attributes, heading = anchor[0], anchor[3]
        if not 0 <= heading < len(above):
            raise IndexError(f"no heading {heading} among {len(above)}")
        rel = attributes.get("rel")
        rel = (<str?>rel).lower() if rel else ""
        aside = anchor[4] or navigation[number]
        # From here on nothing runs that could see a link without its fields.
        link = new_named(made, LINK_FIELDS)
        put(link, LINK_SOURCE, url)
        put(link, LINK_TARGET, target)
        put(link, LINK_TEXT, text)
        put(link, LINK_START, span[0])
        put(link, LINK_END, span[1])
        put(link, LINK_HEADING, above[heading])
        put(link, LINK_POSITION, len(links))
        put(link, LINK_REL, rel)
        put(link, LINK_NAVIGATION, aside)
        put(link, LINK_KIND, "")
        links.append(link)
    return links
