package dev.policysync.report;

/// A rule's message about a resource.
///
/// @param text at most [#LIMIT] characters of the message
/// @param cut whether the message was truncated
public record ResultMessage(String text, boolean cut) {
  /// The maximum length in UTF-16 units. Messages of a kilobyte occur; nobody would read a
  /// megabyte.
  public static final int LIMIT = 4096;

  public static final ResultMessage NONE = new ResultMessage("", false);

  /// Truncates the text to the limit without splitting a surrogate pair.
  public static ResultMessage of(String text) {
    if (text.length() <= LIMIT) {
      return new ResultMessage(text, false);
    }
    var end = Character.isHighSurrogate(text.charAt(LIMIT - 1)) ? LIMIT - 1 : LIMIT;
    return new ResultMessage(text.substring(0, end), true);
  }
}
