import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** usage: java Patterns.java, on pairs of lines: a pattern, and a text that it matches. Prints the number of each pair where it doesn't. */
public final class Patterns {
  public static void main(String[] args) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (int number = 0; ; number += 1) {
      String pattern = lines.readLine();
      if (pattern == null) return;
      String text = lines.readLine();
      try {
        if (!Pattern.compile(pattern).matcher(text).find()) System.out.println(number);
      } catch (StackOverflowError error) {
        System.out.println(number + " " + error);
      }
    }
  }
}
