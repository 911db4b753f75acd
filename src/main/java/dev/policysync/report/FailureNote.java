package dev.policysync.report;

import java.util.regex.Pattern;

/// The message that tells the API why there is no report: one short line, without the addresses of
/// hosts in the cluster, which must not leave it.
final class FailureNote {
  /// The maximum length in characters, enough for a cause and its fix.
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
