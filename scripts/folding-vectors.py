"""Prints test/domain/folding-vectors.json: what Python makes of the code points that folding changes.

Run with Python 3.13 (Unicode 15.1):
    python3 scripts/folding-vectors.py > test/domain/folding-vectors.json
"""

import unicodedata

from vectors import print_vectors, ranges

assert unicodedata.unidata_version == "15.1.0"

# Left out: the test works these out by the arithmetic of the standard (section 3.12), which is checked here.
SYLLABLES = range(0xAC00, 0xD7A4)


def drop_marks(text):
    return "".join(character for character in text if unicodedata.category(character)[0] != "M")


def decompose(text):
    return drop_marks(unicodedata.normalize("NFKD", text))


def fold(text):
    return decompose(decompose(text).casefold())


def jamo(syllable):
    index = syllable - 0xAC00
    points = [0x1100 + index // 588, 0x1161 + index % 588 // 28, 0x11A7 + index % 28]
    return "".join(map(chr, points[: 3 if index % 28 else 2]))


def runs(mapping, gap=3):
    """A first code point in hexadecimal, a colon, and the one character that it and each after it becomes."""
    result, last = [], -gap - 1
    for point, folded in mapping.items():
        if point - last > gap:
            result.append(f"{point:x}:")
        else:
            result[-1] += "".join(map(chr, range(last + 1, point)))
        result[-1] += folded
        last = point
    return result


known = [point for point in range(0x110000) if unicodedata.category(chr(point)) != "Cn"]
folded = {point: fold(chr(point)) for point in known}
# Each code point folds by itself, so that texts need no vectors: only marks are put in order.
assert all(unicodedata.category(chr(point))[0] == "M" for point in known if unicodedata.combining(chr(point)))
assert all(fold(result) == result for result in folded.values())
assert all(folded[point] == jamo(point) for point in SYLLABLES)

changed = {point: folded[point] for point in known if folded[point] != chr(point) and point not in SYLLABLES}
single = {point: result for point, result in changed.items() if len(result) == 1}
longer = [chr(point) + result for point, result in changed.items() if len(result) > 1]
dropped = ranges([point for point, result in changed.items() if result == ""])
print_vectors({"dropped": dropped}, {"single": runs(single), "longer": longer})
