"""Prints test/domain/folding-vectors.json: what Python makes of the code points that folding changes.

Run with Python 3.13 (Unicode 15.1):
    python3 scripts/folding-vectors.py > test/domain/folding-vectors.json
"""

import json
import unicodedata

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


def ranges(points):
    """First and last of each range in hexadecimal, the first as a step from the last of the range before."""
    result, end = [], 0
    points = sorted(points)
    while points:
        length = next((at for at in range(1, len(points)) if points[at] != points[0] + at), len(points)) - 1
        result.append(f"{points[0] - end:x}" + (f"+{length:x}" if length else ""))
        end = points[length]
        points = points[length + 1 :]
    return " ".join(result)


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


def literal(value):
    """JSON, with whatever is invisible, combines or runs right to left escaped."""
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(character if is_plain(character) else json.dumps(character)[1:-1] for character in quoted)


def is_plain(character):
    right_to_left = unicodedata.bidirectional(character) in ("R", "AL", "AN")
    return character == " " or (unicodedata.category(character)[0] in "LNPS" and not right_to_left)


known = [point for point in range(0x110000) if unicodedata.category(chr(point)) != "Cn"]
folded = {point: fold(chr(point)) for point in known}
# Each code point folds by itself, so that texts need no vectors: only marks are put in order.
assert all(unicodedata.category(chr(point))[0] == "M" for point in known if unicodedata.combining(chr(point)))
assert all(fold(result) == result for result in folded.values())
assert all(folded[point] == jamo(point) for point in SYLLABLES)

changed = {point: folded[point] for point in known if folded[point] != chr(point) and point not in SYLLABLES}
single = {point: result for point, result in changed.items() if len(result) == 1}
longer = [chr(point) + result for point, result in changed.items() if len(result) > 1]
lines = {
    "single": [f"    {literal(run)}" for run in runs(single)],
    "longer": [f"    {literal(pair)}" for pair in longer],
}
print("{")
print(f'  "dropped": "{ranges([point for point, result in changed.items() if result == ""])}",')
for name, entries in lines.items():
    print(f'  "{name}": [')
    print(",\n".join(entries))
    print("  ]," if name == "single" else "  ]\n}")
