package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import java.util.regex.Pattern;

/// Makes of an API server's message what may stand in a log: one line, of bounded length, without
/// what it quotes of the object, since any part of a policy may be in there. Which field is wrong
/// and what is expected stay.
///
/// The API server's own quotations have forms, here those of kube-apiserver 1.36.3. A webhook says
/// what it likes; so whatever else the message has in common with the policy is hidden as well.
public final class Redaction {
  static final String HIDDEN = "…";

  private static final int LONGEST_LINE = 600;

  /// What is looked through for the policy's texts; the line that remains is far shorter.
  private static final int LONGEST_MESSAGE = 16_384;

  /// `spec.a: Invalid value: "x": must be …`; a value is a Go string, or JSON, or a Go literal.
  private static final Pattern FIELD_ERROR =
      Pattern.compile(
          "((?:Invalid value|Unsupported value|Duplicate value|Not found): )"
              + "(?:\"(?:[^\"\\\\]|\\\\.)*+\"|(?:[^:\"]|\"(?:[^\"\\\\]|\\\\.)*+\"|:(?! ))*+)",
          Pattern.DOTALL);

  /// `.spec.a: expected map, got &{x}`, one on a line.
  private static final Pattern TYPE_ERROR =
      Pattern.compile("(, got )&\\{.*?}(?=\\n {2}\\.|\\z)", Pattern.DOTALL);

  /// `.spec.a: duplicate entries for key [="x"]`: a value of a set; the name of an item may be
  /// shown.
  private static final Pattern DUPLICATE =
      Pattern.compile("(duplicate entries for key )\\[(?!name=\"[\\w.-]{1,63}\"])[^\\n]*]");

  /// The lines of a CEL error that show the expression and point into it, but for what comes after
  /// the pointer: `, spec.b: …`, the next error.
  private static final Pattern CEL_SOURCE =
      Pattern.compile("\\n ?\\|(?: ?[.\\uff0e]*[\\^\\uff3e]|[^\\n]*)");

  private static final Pattern BREAKS = Pattern.compile("[\\s\\p{Cntrl}\\u2028\\u2029]+");

  private Redaction() {}

  /// A message that can only quote in the API server's own forms.
  public static String of(String message) {
    return line(withoutQuotations(message));
  }

  /// A message on a policy.
  ///
  /// @param policy the manifest that was sent
  public static String of(String message, Value.Mapping policy) {
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
