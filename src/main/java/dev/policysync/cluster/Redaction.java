package dev.policysync.cluster;

import java.util.regex.Pattern;

/// Takes out of the API server's messages what it quotes of the object: any part of a policy may be
/// in there. Which field is wrong and what is expected stay. The forms are those of kube-apiserver
/// 1.36.3.
final class Redaction {
  private static final String HIDDEN = "…";

  /// `spec.a: Invalid value: "x": must be …`; a value is a Go string, or JSON, or a Go literal.
  private static final Pattern FIELD_ERROR =
      Pattern.compile(
          "((?:Invalid|Unsupported|Duplicate) value: )"
              + "(?:\"(?:[^\"\\\\]|\\\\.)*+\"|(?:[^:\"]|\"(?:[^\"\\\\]|\\\\.)*+\"|:(?! ))*+)",
          Pattern.DOTALL);

  /// `.spec.a: expected map, got &{x}`, one on a line.
  private static final Pattern TYPE_ERROR =
      Pattern.compile("(, got )&\\{.*?}(?=\\n {2}\\.|\\z)", Pattern.DOTALL);

  /// The lines of a CEL error that show the expression and point into it.
  private static final Pattern CEL_SOURCE = Pattern.compile("\\n ?\\|[^\\n]*");

  private Redaction() {}

  static String of(String message) {
    var withoutValues = FIELD_ERROR.matcher(message).replaceAll("$1" + HIDDEN);
    var withoutTypes = TYPE_ERROR.matcher(withoutValues).replaceAll("$1" + HIDDEN);
    return CEL_SOURCE.matcher(withoutTypes).replaceAll("");
  }
}
