"""What the scripts that print test/domain/*-vectors.json share."""

import json
import unicodedata


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


def literal(value):
    """JSON, with whatever is invisible, combines or runs right to left escaped."""
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(character if is_plain(character) else json.dumps(character)[1:-1] for character in quoted)


def is_plain(character):
    right_to_left = unicodedata.bidirectional(character) in ("R", "AL", "AN")
    return character == " " or (unicodedata.category(character)[0] in "LNPS" and not right_to_left)


def print_vectors(texts, lists):
    """An object of texts and of lists. A line has as many entries of a list as fit into 600 characters."""
    members = [f"  {literal(name)}: {literal(text)}" for name, text in texts.items()]
    for name, entries in lists.items():
        lines = [""]
        for entry in map(literal, entries):
            if lines[-1] and len(lines[-1]) + len(entry) > 600:
                lines.append("")
            lines[-1] += f", {entry}" if lines[-1] else entry
        members.append(f"  {literal(name)}: [\n    " + ",\n    ".join(lines) + "\n  ]")
    print("{\n" + ",\n".join(members) + "\n}")
