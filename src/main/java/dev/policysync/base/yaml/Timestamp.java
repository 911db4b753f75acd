package dev.policysync.base.yaml;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The forms that may follow an explicit `!!timestamp`: `2024-01-02`, `2024-01-02T03:04:05Z`,
/// `2024-1-2 3:4:5.6`. Without the tag, a timestamp is text like any other.
final class Timestamp {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4})-(\\d{1,2})-(\\d{1,2})"
              + "(?:(?:[Tt](?=.*(?:Z|[+-]\\d\\d:\\d\\d)$)| (?=[0-9:.,]*$))"
              + "(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:[.,]\\d+)?"
              + "(?:Z|[+-]([01]\\d|2[0-4]):([0-5]\\d|60))?)?");

  private Timestamp() {}

  /// Returns whether a text is a valid timestamp.
  static boolean isTimestamp(String text) {
    var parts = FORM.matcher(text);
    if (!parts.matches()) {
      return false;
    }
    try {
      LocalDate.of(number(parts, 1), number(parts, 2), number(parts, 3));
      if (parts.group(4) != null) {
        LocalTime.of(number(parts, 4), number(parts, 5), number(parts, 6));
      }
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }
}
