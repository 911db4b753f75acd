package dev.policysync.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.Digest;
import java.util.Locale;

/// Names successors: like the origin if the origin has one rule, else with the rule's name
/// appended. The name is the same in every run, and is a valid label value, as policy reports need
/// it.
final class SuccessorName {
  private static final int LONGEST = 63;
  private static final int HASH = 8;

  private SuccessorName() {}

  /// Joins the parts to a name. A name that had to be changed or cut ends with a hash of all parts.
  static String of(String policy, String... parts) {
    var whole = String.join("-", parts);
    var written = parts.length == 0 ? policy : policy + "-" + whole;
    var clean =
        (parts.length == 0 ? policy : policy + "-" + cleaned(whole)).replaceAll("[-.]+$", "");
    if (clean.equals(written) && clean.length() <= LONGEST) {
      return clean;
    }
    var hash = Digest.of((policy + "\n" + whole).getBytes(UTF_8)).text().substring(7, 7 + HASH);
    var longest = LONGEST - HASH - 1;
    var cut = clean.length() <= longest ? clean : clean.substring(0, longest);
    return cut.replaceAll("[-.]+$", "") + "-" + hash;
  }

  private static String cleaned(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }
}
