package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import java.util.regex.Pattern;

/// Turns an API server's message into a line that may be logged: of limited length, and without
/// quotes of the object, because they may contain any part of a policy. The field and the
/// expectation remain.
///
/// The API server's own quotes have known forms, here those of kube-apiserver 1.36.3. A webhook's
/// message has no fixed form, so any other text that the message shares with the policy is hidden,
/// too.
public final class Redaction {
  static final String HIDDEN = "…";

  private static final int LONGEST_LINE = 600;

  /// The length in characters of the part of the message that is searched for the policy's texts.
  /// The remaining line is far shorter.
  private static final int LONGEST_MESSAGE = 16_384;

  /// A field error: `spec.a: Invalid value: "x": must be …`; the value is a Go string, JSON, or a
  /// Go literal.
  private static final Pattern FIELD_ERROR =
      Pattern.compile(
          "((?:Invalid value|Unsupported value|Duplicate value|Not found): )"
              + "(?:\"(?:[^\"\\\\]|\\\\.)*+\"|(?:[^:\"]|\"(?:[^\"\\\\]|\\\\.)*+\"|:(?! ))*+)",
          Pattern.DOTALL);

  /// A type error: `.spec.a: expected map, got &{x}`, one per line.
  private static final Pattern TYPE_ERROR =
      Pattern.compile("(, got )&\\{.*?}(?=\\n {2}\\.|\\z)", Pattern.DOTALL);

  /// A duplicate: `.spec.a: duplicate entries for key [="x"]`, with a value of a set. The name of a
  /// list item may be shown.
  private static final Pattern DUPLICATE =
      Pattern.compile("(duplicate entries for key )\\[(?!name=\"[\\w.-]{1,63}\"])[^\\n]*]");

  /// The lines of a CEL error that show the expression and point into it. The text after the
  /// pointer stays: `, spec.b: …`, the next error.
  private static final Pattern CEL_SOURCE =
      Pattern.compile("\\n ?\\|(?: ?[.\\uff0e]*[\\^\\uff3e]|[^\\n]*)");

  private static final Pattern BREAKS = Pattern.compile("[\\s\\p{Cntrl}\\u2028\\u2029]+");

  private Redaction() {}

  /// Redacts a message that contains only the API server's own forms of quotes.
  public static String redact(String message) {
    return line(withoutQuotations(message));
  }

  /// @param policy the manifest that was sent
  public static String redact(String message, Value.Mapping policy) {
    return line(SensitiveTexts.of(policy).hide(cut(withoutQuotations(message), LONGEST_MESSAGE)));
  }

  private static String withoutQuotations(String message) {
    var withoutValues = FIELD_ERROR.matcher(message).replaceAll("$1" + HIDDEN);
    var withoutTypes = TYPE_ERROR.matcher(withoutValues).replaceAll("$1" + HIDDEN);
    var withoutItems = DUPLICATE.matcher(withoutTypes).replaceAll("$1" + HIDDEN);
    return CEL_SOURCE.matcher(withoutItems).replaceAll("");
  }

  private static String line(String message) {
    return cut(BREAKS.matcher(message).replaceAll(" ").strip(), LONGEST_LINE);
  }

  private static String cut(String message, int length) {
    return message.length() <= length ? message : message.substring(0, length) + HIDDEN;
  }
}
