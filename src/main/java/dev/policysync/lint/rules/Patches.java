package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reports patterns and patches that Kyverno rejects.
///
/// Source: Kyverno 1.19, `validateJSONPatch`, `validateJSONPatchPathForForwardSlash`,
/// `jsonPatchPathHasVariables`, `common.ValidatePattern`, `isLabelAndAnnotationsString`.
final class Patches implements Rule {
  private static final Pattern ADD_ANCHOR = Pattern.compile("\\+\\(.*\\)");
  private static final Pattern EXISTENCE = Pattern.compile("\\^\\(.*\\)");
  private static final Pattern ANCHOR = Pattern.compile("([+=X<]|\\^)?\\(.+\\)");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS052",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid pattern or patch",
        """
        A pattern of `validate` cannot have the anchor `+()`, which is for patches, `^()` requires a list with an \
        item, and labels and annotations are strings. The data of a generate rule cannot have anchors. Each \
        operation of `patchesJson6902` requires a known `op` and a `path` that begins with a slash. Kyverno rejects \
        the policy.\
        """,
        "Correct the pattern or patch.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var validate = rule.node().at("validate");
      var patterns =
          Stream.concat(
                  validate.stream().flatMap(node -> node.at("pattern").stream()),
                  validate.stream().flatMap(node -> node.items("anyPattern").stream()))
              .toList();
      patterns.stream()
          .flatMap(part -> part.selfAndDescendants().stream())
          .forEach(node -> anchor(node, found));
      patterns.forEach(pattern -> strings(pattern, found));
      rule.node().at("mutate", "patchStrategicMerge").ifPresent(patch -> strings(patch, found));
      rule.node().at("generate", "data").stream()
          .flatMap(part -> part.selfAndDescendants().stream())
          .filter(node -> ANCHOR.matcher(node.name()).matches())
          .forEach(node ->
              found.at(
                  node,
                  "generated data cannot have the anchor " + node.name() + "; Kyverno rejects it"));
      rule.node().at("mutate", "patchesJson6902").ifPresent(patch -> operations(patch, found));
    }
  }

  private static void anchor(Node node, LintFindingSink found) {
    if (ADD_ANCHOR.matcher(node.name()).matches()) {
      found.at(
          node,
          "the anchor " + node.name() + " is for patches, not for patterns; Kyverno rejects it");
    } else if (EXISTENCE.matcher(node.name()).matches() && node.items().isEmpty()) {
      found.at(
          node, "the anchor " + node.name() + " requires a list with an item; Kyverno rejects it");
    }
  }

  private static void strings(Node pattern, LintFindingSink found) {
    Stream.of("labels", "annotations")
        .flatMap(name -> pattern.at("metadata", name).stream())
        .flatMap(labels -> labels.fields().stream())
        .filter(label -> label.text().isEmpty())
        .forEach(label ->
            found.at(
                label,
                "labels and annotations are strings; Kyverno rejects this value",
                "Quote it."));
  }

  private static void operations(Node patch, LintFindingSink found) {
    var text = patch.text().orElse("");
    var operations = PatchOperations.parse(text);
    if (operations.isEmpty()) {
      found.at(patch, "the JSON patch is no list of operations; Kyverno rejects it");
      return;
    }
    for (var operation : operations.get()) {
      var path = operation.text("path").orElse("");
      if (!path.startsWith("/")) {
        found.at(
            patch,
            "the path of a JSON patch begins with a slash, \""
                + path
                + "\" does not; Kyverno rejects it");
      }
      var op = operation.text("op").orElse("");
      if (!PatchOperations.KNOWN.contains(op)) {
        found.at(
            patch, "the JSON patch has the unknown operation \"" + op + "\"; Kyverno rejects it");
      } else if (PatchOperations.WITH_VALUE.contains(op)
          && !operation.fields().containsKey("value")) {
        found.at(
            patch, "the operation " + op + " of the JSON patch has no value; Kyverno rejects it");
      }
    }
  }
}
