# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Loops over every byte and every word of a page. Each does just what its twin in Python does.

Nothing here trusts a page: every loop is bounded by the bytes it was given, and where a page could be made so that a loop takes
longer than that, the loop counts its steps, gives up and leaves the page to its twin.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    static inline int zeros_below(uint64_t number) { return __builtin_ctzll(number); }

    /* In C, so that the compiler is told that the two do not overlap: it then takes 16 bytes or more at a time. */
    static void tidy(const uint8_t *restrict said, uint8_t *restrict letters, ptrdiff_t size) {
        for (ptrdiff_t i = 0; i < size; i++) {
            uint8_t c = said[i], small = c | 0x20;
            uint8_t letter = (uint8_t)(small - 'a') < 26 ? 0xFF : 0;
            uint8_t other = ((uint8_t)(c - '0') < 10) | (c >= 0x80) ? 0xFF : 0;
            letters[i] = (small & letter) | (c & other);
        }
    }

    /* Every place is looked at, and nothing is decided on the way: that is what the compiler can do for many places at a time. */
    static int says_hidden(const uint8_t *body, ptrdiff_t size) {
        uint8_t found = 0;
        for (ptrdiff_t i = 0; i < size - 5; i++)
            found |= ((body[i] | 0x20) == 'h') & ((body[i + 1] | 0x20) == 'i') & ((body[i + 2] | 0x20) == 'd')
                & ((body[i + 3] | 0x20) == 'd') & ((body[i + 4] | 0x20) == 'e') & ((body[i + 5] | 0x20) == 'n');
        return found;
    }

    static int has_ascii_controls(const char *text, ptrdiff_t size) {
        uint8_t found = 0;
        for (ptrdiff_t i = 0; i < size; i++) {
            uint8_t c = (uint8_t)text[i];
            found |= (c < 9) | ((uint8_t)(c - 14) < 18) | (c == 127);
        }
        return found;
    }

    /* For each of 64 bits in how many numbers it is set. Each byte of a number is spread over eight bytes, which count up to 255. */
    static void count_bits(const uint64_t *numbers, ptrdiff_t count, uint16_t *votes) {
        uint64_t some[8];
        for (ptrdiff_t start = 0; start < count; start += 255) {
            ptrdiff_t end = count - start < 255 ? count : start + 255;
            for (int byte = 0; byte < 8; byte++) some[byte] = 0;
            for (ptrdiff_t i = start; i < end; i++)
                for (int byte = 0; byte < 8; byte++) {
                    /* Of eight copies of the byte each keeps another bit. Adding 0x7F carries it into the highest bit of its copy. */
                    uint64_t bits = (((numbers[i] >> (8 * byte)) & 0xFF) * 0x0101010101010101u) & 0x8040201008040201u;
                    some[byte] += ((bits + 0x7F7F7F7F7F7F7F7Fu) >> 7) & 0x0101010101010101u;
                }
            for (int bit = 0; bit < 64; bit++) votes[bit] += (some[bit / 8] >> (8 * (bit % 8))) & 0xFF;
        }
    }
    """
    int has_ascii_controls(const char* text, Py_ssize_t size) noexcept nogil
    int says_hidden(const uint8_t* body, Py_ssize_t size) noexcept nogil
    void count_bits(const uint64_t* numbers, Py_ssize_t count, uint16_t* votes) noexcept nogil
    int zeros_below(uint64_t number) noexcept nogil
    void tidy(const uint8_t* said, uint8_t* letters, Py_ssize_t size) noexcept nogil

cdef enum:
    PADDING = 32
    VOTERS = 512

cdef uint64_t ODD_0 = 0x9E3779B97F4A7C15u
cdef uint64_t ODD_1 = 0xC2B2AE3D27D4EB4Fu
cdef uint64_t ODD_2 = 0x165667B19E3779F9u
cdef uint64_t ODD_3 = 0xD6E8FEB86659FD93u
cdef uint64_t EVERY_LOW_BIT = 0x0101010101010101u
cdef uint64_t EVERY_HIGH_BIT = 0x8080808080808080u


cdef inline int bytes_before_zero(uint64_t eight) noexcept nogil:
    """How many of eight bytes stand before the first that is zero; eight if none is."""
    cdef uint64_t zeros = (eight - EVERY_LOW_BIT) & ~eight & EVERY_HIGH_BIT
    return zeros_below(zeros) >> 3 if zeros else 8


cdef inline uint64_t first_bytes(uint64_t eight, int count) noexcept nogil:
    return eight & ((<uint64_t>1 << (8 * count)) - 1)


def word_numbers(bytes said not None, hashed):
    """The numbers of the words in a text that is encoded in UTF-8, eight bytes each; long words are numbered by `hashed`.

    Twin: `numbers_at` in `language/word_numbers.py`.
    """
    cdef Py_ssize_t size = PyBytes_GET_SIZE(said), at = 0, start, count = 0
    cdef uint64_t first, second
    cdef int length
    # Two words share at least one byte that is none, so there are no more than this.
    cdef bytes made = PyBytes_FromStringAndSize(NULL, (size // 2 + 1) * 8)
    cdef uint64_t* numbers = <uint64_t*>PyBytes_AS_STRING(made)
    cdef uint8_t* letters = <uint8_t*>PyMem_Malloc(size + PADDING)
    if letters == NULL:
        raise MemoryError
    try:
        tidy(<const uint8_t*>PyBytes_AS_STRING(said), letters, size)
        memset(letters + size, 0, PADDING)
        while True:
            while at < size and letters[at] == 0:
                at += 1
            if at >= size:
                break
            memcpy(&first, letters + at, 8)
            length = bytes_before_zero(first)
            if length < 8:
                numbers[count] = first_bytes(first, length) * ODD_0
                at += length + 1
            else:
                memcpy(&second, letters + at + 8, 8)
                length = bytes_before_zero(second)
                if length < 8:
                    numbers[count] = first * ODD_0 + first_bytes(second, length) * ODD_1
                    at += length + 9
                else:
                    start = at
                    at += 16
                    while letters[at] != 0:  # the padding ends it
                        at += 1
                    numbers[count] = first * ODD_0 + second * ODD_1 if at - start == 16 else hashed(letters[start:at])
            count += 1
        return made[: count * 8]
    finally:
        PyMem_Free(letters)


def times(const uint64_t[::1] numbers not None, tuple wanted not None):
    """How often each of the wanted numbers occurs. Twin: `times` in `language/word_numbers.py`."""
    cdef Py_ssize_t place, count
    cdef uint64_t number
    cdef list found = []
    for each in wanted:
        number, count = each, 0
        for place in range(numbers.shape[0]):
            count += numbers[place] == number
        found.append(count)
    return tuple(found)


def squares(const uint64_t[::1] numbers not None, uint64_t secret):
    """The sum of the squares of how often each number occurs; None if it would take too long. The secret is any odd number.

    Twin: `squares` in `language/word_numbers.py`.
    """
    # A table of counts. Where a number stands in it only the secret tells, so no page can be made whose words all stand in one place.
    cdef Py_ssize_t count = numbers.shape[0], place, slot, steps = 0
    cdef int bits = 6
    while (<Py_ssize_t>1 << bits) < 2 * count:
        bits += 1
    cdef Py_ssize_t slots = <Py_ssize_t>1 << bits
    cdef uint64_t number, total = 0
    cdef uint64_t* keys = <uint64_t*>PyMem_Malloc(slots * 12)
    if keys == NULL:
        raise MemoryError
    cdef uint32_t* counts = <uint32_t*>(keys + slots)
    memset(counts, 0, slots * 4)
    for place in range(count):
        number = numbers[place]
        slot = ((number ^ (number >> 32)) * secret) >> (64 - bits)
        while counts[slot] and keys[slot] != number:
            slot = (slot + 1) & (slots - 1)
            steps += 1
        if steps > 8 * count:
            break
        keys[slot] = number
        # The square of one more is larger by twice the number and one.
        total += 2 * <uint64_t>counts[slot] + 1
        counts[slot] += 1
    PyMem_Free(keys)
    return None if steps > 8 * count else total


def places(const uint64_t[::1] numbers not None, const uint8_t[::1] maybe not None, dict known not None, Py_ssize_t most):
    """Where the known numbers stand, and which they are, at most so many. Only those are looked up whose first bits are marked in `maybe`.

    Twin: `TopicWords.find` in `topic/word_places.py`.
    """
    cdef Py_ssize_t place
    cdef int shift = 64 - zeros_below(<uint64_t>maybe.shape[0])
    cdef list found = []
    for place in range(numbers.shape[0]):
        if maybe[numbers[place] >> shift]:
            word = known.get(numbers[place])
            if word is not None:
                found.append((place, word))
                if len(found) == most:
                    break
    return found


def simhash(const uint64_t[::1] words not None, Py_ssize_t fewest):
    """The fingerprint of some words; None if there are not more than so many different shingles. Twin: `simhash` in `store/simhash.py`.

    Raises `OverflowError` if it would take too long.
    """
    cdef Py_ssize_t count = words.shape[0] - 2, i, k, start = 0, end, bucket, voters, moves = 0
    if count < 1:
        return None
    cdef int bits = 4
    while bits < 16 and (<Py_ssize_t>1 << bits) < count:
        bits += 1
    cdef Py_ssize_t buckets = <Py_ssize_t>1 << bits
    cdef uint64_t* hashes = <uint64_t*>PyMem_Malloc(2 * count * 8 + (buckets + 1) * 4)
    if hashes == NULL:
        raise MemoryError
    cdef uint64_t* ordered = hashes + count
    cdef uint32_t* ends = <uint32_t*>(hashes + 2 * count)
    cdef uint64_t hash_, last = 0
    cdef uint64_t voting[VOTERS]
    memset(ends, 0, (buckets + 1) * 4)
    for i in range(count):
        hash_ = words[i] + words[i + 1] * ODD_2 + words[i + 2] * ODD_3
        hash_ = (hash_ ^ (hash_ >> 32)) * ODD_0
        hash_ = (hash_ ^ (hash_ >> 32)) * ODD_1
        hash_ ^= hash_ >> 32
        hashes[i] = hash_
        ends[(hash_ >> (64 - bits)) + 1] += 1
    for i in range(buckets):
        ends[i + 1] += ends[i]
    # By their first bits into buckets of one or two. Where each began is moved on until it says where it ends.
    for i in range(count):
        bucket = hashes[i] >> (64 - bits)
        ordered[ends[bucket]] = hashes[i]
        ends[bucket] += 1
    voters = 0
    for bucket in range(buckets):
        end = ends[bucket]
        for i in range(start + 1, end):
            hash_, k = ordered[i], i
            while k > start and ordered[k - 1] > hash_:
                ordered[k] = ordered[k - 1]
                k -= 1
            ordered[k] = hash_
            moves += i - k
            if moves > 16 * count:
                break
        if moves > 16 * count:
            break
        for i in range(start, end):
            if voters == 0 or ordered[i] != last:
                last = voting[voters] = ordered[i]
                voters += 1
                if voters == VOTERS:
                    break
        if voters == VOTERS:
            break
        start = end
    PyMem_Free(hashes)
    if moves > 16 * count:
        raise OverflowError("too many hashes begin with the same bits")
    return majority(voting, voters) if voters > fewest else None


cdef uint64_t majority(const uint64_t* voting, Py_ssize_t voters) noexcept nogil:
    cdef uint16_t votes[64]
    cdef uint64_t most = 0
    cdef int bit
    memset(votes, 0, sizeof(votes))
    count_bits(voting, voters, votes)
    for bit in range(64):
        if votes[bit] > voters // 2:
            most |= <uint64_t>1 << bit
    return most


def tag_kinds(bytes body not None, const uint8_t[::1] kinds not None):
    """How many tags begin in a page, and how many of them are of kind 1 and 2 by their first two bytes. Twin: `tamed` in `parse/guard.py`."""
    cdef const uint8_t* at = <const uint8_t*>PyBytes_AS_STRING(body)
    cdef const uint8_t* end = at + PyBytes_GET_SIZE(body) - 2
    cdef Py_ssize_t counts[3]
    counts[:] = [0, 0, 0]
    while at < end:
        at = <const uint8_t*>memchr(at, c"<", end - at)
        if at == NULL:
            break
        counts[kinds[at[1] | (<int>at[2] << 8)]] += 1
        at += 1
    return counts[0] + counts[1] + counts[2], counts[1], counts[2]


def may_hide(bytes body not None):
    """Whether the word `hidden` is in a page, in any case. Twin: `_may_hide` in `parse/html.py`."""
    return bool(says_hidden(<const uint8_t*>PyBytes_AS_STRING(body), PyBytes_GET_SIZE(body)))


def has_controls(str text not None):
    """Whether a text in ASCII has controls other than white space. Twin: `has_controls` in `parse/text.py`."""
    cdef Py_ssize_t size = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return bool(has_ascii_controls(data, size))
