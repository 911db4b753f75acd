package dev.policysync.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.Digest;
import java.util.Locale;

/// What a successor is called: as its origin if that has one rule, else with the rule's name behind
/// it. It is the same in every run, and fits a label's value, as reports need it.
final class SuccessorName {
  private static final int LONGEST = 63;
  private static final int HASH = 8;

  private SuccessorName() {}

  /// A name of these parts; where it is not all of them, a hash of them is at its end.
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
