"""Prints test/domain/user-name-vectors.json: what the reference implementation makes of userNames.

Run with Python 3.11 (Unicode 14.0) and the package precis-i18n 1.1.2:
    python3 scripts/user-name-vectors.py > test/domain/user-name-vectors.json
"""

import random
import unicodedata

from precis_i18n import get_profile
from vectors import print_vectors, ranges

assert unicodedata.unidata_version == "14.0.0"
profile = get_profile("UsernameCaseMapped")


def enforce(name):
    try:
        return profile.enforce(name)
    except UnicodeEncodeError:
        return None


assigned = [point for point in range(0x110000) if unicodedata.category(chr(point)) != "Cn"]
single = {point: enforce(chr(point)) for point in assigned}
allowed = [point for point in assigned if single[point] is not None]
changed = {point: single[point] for point in allowed if single[point] != chr(point)}

WRITTEN = """
alice Alice ALICE a.b@example.org O'Neil a+b user_name -
\u00c5ngstr\u00f6m A\u030angstro\u0308m \u212bngstrom STRASSE Stra\u00dfe STRA\u1e9eE \u017fam \u212aelvin
\u0130stanbul I\u0307stanbul \u0131stanbul ISTANBUL I\u0323\u0307 \u01c4ur \u01c5ur \ufb01n \u2126m \u00b5m
\u03a3 \u03c3 \u03c2 \u03a3\u03a3 \u039f\u0394\u039f\u03a3 \u039f\u0394\u039f\u03a3. \u039f\u0394\u039f\u03a3.A A'\u03a3 A\u03a3'
A\u03a3'A \u02b0\u03a3 A\u02b0\u03a3 A\u03a3\u02b0 A\u03a3\u0345 A\u0345\u03a3 \u0345\u03a3 A\u03a3\u0301 A\u0301\u03a3 1\u03a3 A1\u03a3 A\u03a31 A\u03a3:A A\u03a3-A
\u03b1\u03a3\u05d0 \u03a3\u0307 A\u00b7\u03a3 A\u03a3\u200d A\u03a3\u200dB A_\u03a3 \U00010400\u03a3 \U0001e900\u03a3 \u13a0\u03a3 \uab70\u03a3
\u1f88 \u1fb3 \u0391\u0345 \u1ffc \u0399\u0308\u0301 \u03d3 \u03d4 \u03f4 \u0390 \u1fd3
\u13a0\u13a1 \uab70\uab71 \u13f8 \u10a0 \u1c90 \u10d0 \U00010400 \U00010428 \U000118a0 \U0001e900
\uff21\uff42\uff43 \uff21\u030a \uff11\uff12 \uff76\uff9e \uff8a\uff9f \uff76\uff9f \u3000 a\u3000b \uffe3 \uffe5 \uff5e \uff65 \uff76\uff65\uff76
\uffa1 \u1100\u1161 \u1100\u1161\u11a8 \uac00\u11a8 \uac00 \uac01 \u1100 \u1161 \u3131 \u115f\u1161 \ud7b0
l\u00b7l L\u00b7L a\u00b7l l\u00b7a \u00b7 l\u00b7 \u00b7l ll\u00b7ll l\u00b7l\u00b7l l\u0387l
\u0375\u03b1 \u0375\u0391 \u0375a \u0375 \u03b1\u0375 \u0374\u03b1 \u0375\u0301
\u05d0\u05f3 \u05f3\u05d0 \u05d0\u05f4\u05d1 \u05f4 \u05d0\u05b0\u05f3 \u05d0a\u05f3
\u30a2\u30fb\u30a2 \u30fb \u30fb\u30fb a\u30fb \u6f22\u30fb \u30fb\u3042 \u3005\u30fb \u30fb\u3007 \u30fc\u30fb
\u0661 \u0627\u0661 \u0627\u06f1 \u0627\u0661\u06f1 \u0627\u06f11 \u0627\u06611 \u06f1 a\u06f1 a\u0661 \u06271 1\u0627 \u06f1\u0661
\u05d0 \u05d0a a\u05d0 \u05d01 \u05d0. \u05d0.\u05d1 \u05d0\u05b0 \u05b0\u05d0 \u05d0.\u05b0 .\u05d0 \u05d0- \u05d01\u05b0 \u05d0+1 \u05d0_1
\u0627\u0628 \u0627\u0640\u0628 \u07ca\u07fa \u07c1\u07ca \u07ca\u07c1 \u0780\u07a6 \u0710\u0711 \U00010d00\U00010d30 \U0001e900\U0001e950
\u0628\u200c\u0628 \u0628\u200c\u0627 \u0627\u200c\u0628 \u0628\u064e\u200c\u064e\u0628 \u0628\u200c \u200c\u0628 \u200c a\u200cb \u0628\u200ca
\u0628\u200d\u0628 \u0915\u094d\u200d \u0915\u094d\u200c \u0915\u094d\u200d\u0937 \u0915\u200d \u200d \u0915\u093c\u200d \u0d4d\u200d \u0dca\u200d\u0dbb
\ua872\u200c\ua840 \u1820\u200c\u1820 \u0628\u200c\u200c\u0628 \u05d0\u094d\u200c\u05d1 \u0640\u200c\u0628
\u00ad a\u00adb \u034f a\ufe0f \u2060 \ufeff \ufffd \ufdd0 \ue000 \U000e0001 \U0010ffff \u180e \u061c \u202e
\u2160 \u2170 \u00b2 \u00bd \u24b6 \u00aa \u20ac \u2603 \U0001f600 \u3007 \u0f0b \u06fd \u06fe \u303b \u3031
\u0300 a\u0300\u0323 a\u0323\u0300 \u0344 \u0340 \u0958 \u0915\u093c \uf900 \u2f00 \U0002f800 \u0374 \u037e \u1fef \u2000 \u0e33 \u0eb3 \u0f77
""".split()
SPACED = ["", " ", "a b", " a", "a ", "a\tb", "a\nb", "a\x00", "a\x7fb", "\u00a0", "a\u00a0b", "\u2028", "\u2003a"]

POOLS = {
    "latin": "abcilsxyz ABCILSXYZ".replace(" ", ""),
    "other latin": "\u0130\u0131\u017f\u1e9e\u00df\u01c4\u01c5\u01c6\u212a\u212b\u00c5\u00d6\u00e9\ufb01\u0149\u01f0\u1e00\ua7ae\u2c62",
    "greek": "\u0391\u03a3\u03a3\u03a3\u03c3\u03c2\u03a9\u2126\u1f88\u1f80\u0386\u03af\u03f4\u0390\u03b1\u0375",
    "cyrillic": "\u0410\u0419\u0430\u0439\u04c0\u0472\u1c80\ua640",
    "marks": "\u0300\u0301\u0307\u0308\u030a\u0323\u0327\u0345\u0342\u0313\u05b0\u064e\u093c\u3099\u309a\u20dd",
    "punctuation": ".-_'@+:!~/&\u00b7\u2019\u2027\u2010\u00ad\u02b0\u02bc\u1d43",
    "digits": "0189\uff11\u0967\u0e51\u00b2",
    "hebrew": "\u05d0\u05d1\u05ea\u05d0\u05d1\u05f3\u05f4\ufb2a\u05be\u05f0",
    "arabic": "\u0627\u0628\u062c\u062f\u0644\u0645\u06cc\u0622\u0621\u0671\ufefb\u0640\u06fd",
    "arabic digits": "\u0660\u0661\u0669\u06f0\u06f1\u06f9",
    "other rtl": "\u0710\u0712\u0780\u07ca\u07c1\u0800\u0840\u08a0\U00010800\U00010d00\U00010d30\U0001e900\U0001e922",
    "joiners": "\u200c\u200d\u200c",
    "indic": "\u0915\u0937\u094d\u094d\u093f\u0995\u09cd\u0b95\u0bcd\u0d15\u0d4d\u0dbb\u0dca\u1039\u1000\u17d2\u1780\U0001103d\U00011046",
    "mongolian": "\u1820\u1885\u180b\ua840\ua872\ua850",
    "kana": "\u3042\u304b\u30a2\u30ab\u30cf\u30fb\u30fc\u3005\u6f22\u5b57\uf900",
    "halfwidth": "\uff71\uff76\uff8a\uff9e\uff9f\uff65\uff70\uff66",
    "fullwidth": "\uff21\uff29\uff33\uff41\uff5a\uff0e\uff3f\uff01",
    "hangul": "\u1100\u1161\u11a8\uac00\uac01\ud55c\u115f\u1112",
    "cherokee": "\u13a0\u13f0\u13f8\uab70\uabbf",
    "georgian": "\u10a0\u10d0\u1c90\u2d00",
    "far": "\U00010400\U00010428\U000118a0\U00016e40\U0001d400\U00020000\U0001f600\U0001e030",
}
# Where one of these is mixed in, a rule has something to decide.
MIXES = [
    ("latin", "greek", "marks"),
    ("greek", "punctuation", "marks", "digits"),
    ("greek", "far", "cherokee", "punctuation"),
    ("latin", "other latin", "marks"),
    ("hebrew", "marks", "digits", "punctuation"),
    ("hebrew", "arabic", "arabic digits", "digits"),
    ("arabic", "joiners", "marks"),
    ("arabic", "arabic digits", "punctuation"),
    ("other rtl", "joiners", "arabic digits", "marks"),
    ("indic", "joiners"),
    ("indic", "joiners", "marks", "mongolian"),
    ("mongolian", "joiners"),
    ("kana", "halfwidth", "marks"),
    ("kana", "halfwidth", "fullwidth", "latin"),
    ("hangul", "fullwidth"),
    ("cherokee", "georgian", "latin", "marks"),
    ("cyrillic", "marks", "far", "digits"),
]


def mixed(source):
    pools = source.choice(MIXES) if source.random() < 0.9 else source.sample(sorted(POOLS), 3)
    return "".join(source.choice(POOLS[source.choice(pools)]) for _ in range(source.randint(2, 6)))


def known(text):
    return all(unicodedata.category(character) != "Cn" for character in text)


def strings(source):
    """Half of the mixed names are allowed ones: most mixtures are not."""
    pairs = {name: enforce(name) for name in SPACED + WRITTEN}
    accepted = refused = 0
    while accepted < 1300 or refused < 1200:
        name = mixed(source) if source.random() < 0.95 else "".join(map(chr, source.sample(allowed, 3)))
        if name in pairs or not known(name):
            continue
        mapped = enforce(name)
        if mapped is None and refused < 1200:
            refused += 1
            pairs[name] = None
        elif mapped is not None and accepted < 1300:
            accepted += 1
            pairs[name] = mapped
    return pairs


print_vectors(
    {"assigned": ranges(assigned), "allowed": ranges(allowed)},
    {
        "changed": [chr(point) + mapped for point, mapped in changed.items()],
        "strings": list(strings(random.Random(8265)).items()),
    },
)
