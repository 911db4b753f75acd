package dev.policysync.lint;

import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The findings that a policy's annotation suppresses: `policysync.dev/lint-ignore: "PS005: guards
/// kube-system too; PS006: ..."`. An entry without a reason is ignored.
final class Suppressions {
  static final String ANNOTATION = "policysync.dev/lint-ignore";

  static final Hazard WITHOUT_EFFECT =
      new Hazard(
          "PS090",
          LintSeverity.WARNING,
          AffectedVersions.ALL,
          "Ineffective suppression",
          """
          The annotation `policysync.dev/lint-ignore` suppresses findings by id, each with a reason: `"PS005: it \
          guards kube-system, too; PS006: reviewed by the platform team"`. An entry without a reason or with an \
          unknown id is ignored.\
          """,
          "Write `PS005: reason`; separate entries with semicolons.");

  private static final Pattern SEPARATOR = Pattern.compile(";(?=\\s*PS\\d)|;\\s*$|\\n");
  private static final Pattern ENTRY = Pattern.compile("(PS\\d{3})\\s*:\\s*(\\S.*)");

  private Suppressions() {}

  /// Returns the reason for each suppressed id, as a policy writes it, and reports invalid entries.
  ///
  /// @param known the ids of all hazards
  static Map<String, String> reasons(
      LintedPolicy policy, Set<String> known, LintFindingSink found) {
    var reasons = new HashMap<String, String>();
    var annotation = policy.annotation(ANNOTATION);
    if (annotation.isEmpty()) {
      return reasons;
    }
    for (var entry : SEPARATOR.split(annotation.get().text(), -1)) {
      var text = entry.strip();
      var matcher = ENTRY.matcher(text);
      if (text.isEmpty()) {
        continue;
      }
      if (!matcher.matches()) {
        found.at(
            annotation.get(),
            "\"" + shortened(text) + "\" is ignored: an entry requires an id and a reason");
      } else if (!known.contains(matcher.group(1))) {
        found.at(annotation.get(), matcher.group(1) + " is ignored: unknown hazard");
      } else {
        reasons.put(matcher.group(1), matcher.group(2));
      }
    }
    return reasons;
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
