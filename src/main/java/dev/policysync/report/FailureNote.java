package dev.policysync.report;

import java.util.regex.Pattern;

/// What the API is told where there is no report: one line, short, and without the addresses of the
/// cluster, which are no business of somebody outside.
public final class FailureNote {
  /// In characters: a cause and what to do about it.
  private static final int LONGEST = 600;

  private static final Pattern HOST = Pattern.compile("(?i)\\b(https?://)[^/\\s\"']+");
  private static final Pattern ADDRESS =
      Pattern.compile("\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?\\b");
  private static final Pattern BREAKS = Pattern.compile("[\\s\\p{Cntrl}]+");

  private FailureNote() {}

  public static String of(String reason) {
    var line = BREAKS.matcher(reason).replaceAll(" ").strip();
    var hidden = ADDRESS.matcher(HOST.matcher(line).replaceAll("$1…")).replaceAll("…");
    return hidden.length() <= LONGEST ? hidden : hidden.substring(0, LONGEST) + "…";
  }
}
