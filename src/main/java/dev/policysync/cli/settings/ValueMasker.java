package dev.policysync.cli.settings;

/// Decides whether a message may show a value: `"loud"`. A long value is not shown, because it may
/// be a secret that was meant for another setting. Valid values of the settings that messages quote
/// are never long.
public final class ValueMasker {
  private static final int LONGEST = 10;

  private ValueMasker() {}

  /// Returns the value in quotes, or only its length.
  public static String of(String value) {
    return harmless(value) ? "\"" + value + "\"" : "a value of " + value.length() + " characters";
  }

  /// Returns whether a message may show the value. Control characters may not be shown, because
  /// they could move the cursor and hide the message.
  public static boolean harmless(String value) {
    return value.length() <= LONGEST && value.chars().noneMatch(Character::isISOControl);
  }
}
