package dev.policysync.settings;

/// How a message shows what somebody set: `"loud"`. A long value is not shown, for it may be a
/// secret that was meant for another setting; no right value of a setting that is quoted is long.
public final class Shown {
  private static final int LONGEST = 10;

  private Shown() {}

  /// The value in quotes, or that it is too long to be right.
  public static String of(String value) {
    return harmless(value) ? "\"" + value + "\"" : "a text of " + value.length() + " characters";
  }

  /// Whether a message may repeat it.
  public static boolean harmless(String value) {
    return value.length() <= LONGEST;
  }
}
