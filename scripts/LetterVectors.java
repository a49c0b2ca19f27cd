import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UScript;
import com.ibm.icu.text.CollationElementIterator;
import com.ibm.icu.text.Collator;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.text.Transliterator;
import com.ibm.icu.util.LocaleData;
import com.ibm.icu.util.ULocale;
import com.ibm.icu.util.VersionInfo;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Prints test/domain/letter-vectors.json: what ICU makes of letters that have no decomposition, and the letters of some languages.
 *
 * <p>Run with ICU4J 74.2 (Unicode 15.1, CLDR 44), com.ibm.icu:icu4j in Maven:
 * java -cp icu4j-74.2.jar scripts/LetterVectors.java > test/domain/letter-vectors.json
 */
final class LetterVectors {
  private static final String LANGUAGES =
      "af ar az ca cs cy da de el en es et fa fi fo fr ga ha haw he hr hu is it ja ko lb lt lv mt nb nl pl pt ro ru se sk sl sq sr sv"
          + " tr uk vi yo";

  private static final Map<Integer, String> ALSO_EQUAL =
      Map.of(0x629, "\u0647", 0x649, "\u064a", 0x6cc, "\u064a", 0x30fd, "\u309d");
  private static final Transliterator LATIN_ASCII = Transliterator.getInstance("Latin-ASCII");
  private static final RuleBasedCollator ROOT = (RuleBasedCollator) Collator.getInstance(ULocale.ROOT).freeze();

  private static boolean isMark(int point) {
    int type = UCharacter.getType(point);
    return type >= UCharacterCategory.NON_SPACING_MARK && type <= UCharacterCategory.COMBINING_SPACING_MARK;
  }

  private static String dropMarks(String text) {
    return text.codePoints().filter(point -> !isMark(point)).mapToObj(Character::toString).collect(Collectors.joining());
  }

  private static String decompose(String text) {
    return dropMarks(Normalizer2.getNFKDInstance().normalize(text));
  }

  private static String foldCase(String text) {
    return decompose(UCharacter.foldCase(decompose(text), true));
  }

  private static boolean isBase(int point) {
    String text = Character.toString(point);
    return UCharacter.isDefined(point) && foldCase(text).equals(text);
  }

  /** The primary weights that aren't zero. ICU gives a long one in two halves. */
  private static List<Long> primariesOf(int point) {
    List<Long> primaries = new ArrayList<>();
    CollationElementIterator elements = ROOT.getCollationElementIterator(Character.toString(point));
    for (int element = elements.next(); element != CollationElementIterator.NULLORDER; element = elements.next()) {
      long half = element >>> 16;
      if (half == 0) continue;
      boolean isSecondHalf = (element & 0xc0) == 0xc0;
      primaries.add(isSecondHalf ? primaries.remove(primaries.size() - 1) | half : half << 16);
    }
    return primaries;
  }

  /** Hiragana of full size among kana; else what the root collation puts first. */
  private static boolean isPlainer(int point, int other) {
    boolean isKana = isPlainHiragana(point);
    if (isKana != isPlainHiragana(other)) return isKana;
    return ROOT.compare(Character.toString(point), Character.toString(other)) < 0;
  }

  private static boolean isPlainHiragana(int point) {
    return UScript.getScript(point) == UScript.HIRAGANA && !UCharacter.getName(point).contains("SMALL");
  }

  /** By primary weight: the plainest letter; nothing where marks have it alone. */
  private static Map<Long, String> listPlainest(List<Integer> letters) {
    Map<Long, Integer> plainest = new HashMap<>();
    for (int point : letters) {
      List<Long> primaries = primariesOf(point);
      if (primaries.size() == 1) plainest.merge(primaries.get(0), point, (one, two) -> isPlainer(two, one) ? two : one);
    }
    Map<Long, String> texts = new HashMap<>();
    IntStream.rangeClosed(0, Character.MAX_CODE_POINT).filter(LetterVectors::isMark).forEach(point -> {
      List<Long> primaries = primariesOf(point);
      if (primaries.size() == 1) texts.put(primaries.get(0), "");
    });
    plainest.forEach((primary, point) -> texts.put(primary, Character.toString(point)));
    return texts;
  }

  private static Optional<String> byTransform(int point) {
    String text = Character.toString(point);
    String ascii = LATIN_ASCII.transliterate(text);
    boolean isLatin = UCharacter.isLetter(point) && UScript.getScript(point) == UScript.LATIN;
    boolean isWanted = isLatin || ascii.equals("'") || ascii.equals("-");
    return isWanted && !ascii.equals(text) ? Optional.of(foldCase(ascii)) : Optional.empty();
  }

  private static Optional<String> byCollation(int point, Map<Long, String> plainest) {
    if (!UCharacter.isLetter(point)) return Optional.empty();
    List<Long> primaries = primariesOf(point);
    if (!plainest.keySet().containsAll(primaries)) return Optional.empty();
    return Optional.of(primaries.stream().map(plainest::get).collect(Collectors.joining()));
  }

  private static Map<Integer, String> listLetters() {
    List<Integer> bases =
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT).filter(LetterVectors::isBase).boxed().toList();
    Map<Long, String> plainest = listPlainest(bases.stream().filter(UCharacter::isLetter).toList());
    Map<Integer, String> letters = new TreeMap<>();
    for (int point : bases) {
      Optional.ofNullable(ALSO_EQUAL.get(point))
          .or(() -> byTransform(point))
          .or(() -> byCollation(point, plainest))
          .filter(to -> !to.equals(Character.toString(point)))
          .ifPresent(to -> letters.put(point, to));
    }
    return letters;
  }

  private static String replaceAll(String text, Map<Integer, String> letters) {
    String replaced =
        text.codePoints()
            .mapToObj(point -> letters.getOrDefault(point, Character.toString(point)))
            .collect(Collectors.joining());
    return replaced.equals(text) ? text : replaceAll(replaced, letters);
  }

  /** Latin, Greek, Cyrillic and kana stay as they are: the others may be invisible, combine or run right to left. */
  private static String escape(String text) {
    return text.chars()
        .mapToObj(unit -> isPlain(unit) ? Character.toString(unit) : String.format("\\u%04x", unit))
        .collect(Collectors.joining());
  }

  private static boolean isPlain(int unit) {
    int script = UScript.getScript(unit);
    return unit == '\'' || unit == '-' || script == UScript.LATIN || script == UScript.GREEK || script == UScript.CYRILLIC
        || script == UScript.HIRAGANA || script == UScript.KATAKANA;
  }

  /** Each letter, and behind a colon what Latin-ASCII makes of it where that differs. */
  private static String exemplarsOf(String language) {
    List<String> letters = new ArrayList<>();
    LocaleData.getExemplarSet(new ULocale(language), 0).forEach(letters::add);
    // Of Han and of the syllables of Hangul there are thousands.
    return letters.stream().limit(120).map(LetterVectors::withAscii).collect(Collectors.joining(" "));
  }

  private static String withAscii(String letter) {
    String ascii = LATIN_ASCII.transliterate(letter);
    return escape(letter) + (ascii.equals(letter) ? "" : ":" + escape(ascii));
  }

  private static void check(String found, String wanted) {
    if (!found.startsWith(wanted)) throw new IllegalStateException(found + " is not " + wanted);
  }

  public static void main(String[] arguments) {
    check(UCharacter.getUnicodeVersion().toString(), "15.1");
    check(LocaleData.getCLDRVersion().toString(), "44");
    PrintStream out = new PrintStream(System.out, true, java.nio.charset.StandardCharsets.UTF_8);
    Map<Integer, String> letters = listLetters();
    List<String> entries = letters.keySet().stream()
        .map(Character::toString)
        .map(letter -> escape(letter) + escape(replaceAll(letter, letters)))
        .toList();
    out.println("{\n  \"letters\": [");
    out.println(IntStream.iterate(0, at -> at < entries.size(), at -> at + 16)
        .mapToObj(at -> "    \"" + String.join(" ", entries.subList(at, Math.min(at + 16, entries.size()))) + "\"")
        .collect(Collectors.joining(",\n")));
    out.println("  ],\n  \"exemplars\": {");
    out.println(List.of(LANGUAGES.split(" ")).stream()
        .map(language -> "    \"" + language + "\": \"" + exemplarsOf(language) + "\"")
        .collect(Collectors.joining(",\n")));
    out.println("  }\n}");
  }
}
