package dev.policysync.report;

/// What the rule says to this resource.
///
/// @param text at most [#LIMIT] characters of it
/// @param cut whether there was more
public record ResultMessage(String text, boolean cut) {
  /// In UTF-16 units. Messages of a kilobyte are seen; one of a megabyte helps nobody.
  public static final int LIMIT = 4096;

  /// None.
  public static final ResultMessage NONE = new ResultMessage("", false);

  /// No more of that text than the limit, and no half of a character at its end.
  public static ResultMessage of(String text) {
    if (text.length() <= LIMIT) {
      return new ResultMessage(text, false);
    }
    var end = Character.isHighSurrogate(text.charAt(LIMIT - 1)) ? LIMIT - 1 : LIMIT;
    return new ResultMessage(text.substring(0, end), true);
  }
}
