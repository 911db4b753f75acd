package dev.policysync.cli.settings;

/// How a message shows what somebody set: `"loud"`. A long value is not shown, for it may be a
/// secret that was meant for another setting; no right value of a setting that is quoted is long.
public final class ValueMasker {
  private static final int LONGEST = 10;

  private ValueMasker() {}

  /// The value in quotes, or that it is none to be repeated.
  public static String of(String value) {
    return harmless(value) ? "\"" + value + "\"" : "a value of " + value.length() + " characters";
  }

  /// Whether a message may repeat it. What moves a terminal's cursor could hide the message itself.
  public static boolean harmless(String value) {
    return value.length() <= LONGEST && value.chars().noneMatch(Character::isISOControl);
  }
}
