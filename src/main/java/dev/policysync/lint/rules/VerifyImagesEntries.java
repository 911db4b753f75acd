package dev.policysync.lint.rules;

import dev.policysync.base.Value;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/// Reports `verifyImages` entries that Kyverno rejects.
///
/// Source: Kyverno 1.19, `ImageVerification.Validate`, `validateAttestorSet`, `Attestor.Validate`
/// and the functions that it calls, `imageRefHasVariables`, `validateRuleImageExtractorsJMESPath`.
final class VerifyImagesEntries implements Rule {
  private static final List<String> ATTESTORS =
      List.of("keys", "certificates", "keyless", "attestor");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS048",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid verifyImages entry",
        """
        An entry requires `imageReferences`, without variables. Each set of attestors requires entries, as many as \
        its `count` at least, and each of these exactly one of `keys` (with a key, a KMS or a Secret), \
        `certificates` (with cert or certChain), `keyless` (with rekor.url or roots) and `attestor`. `type: Notary` \
        has neither keys nor keyless. Kyverno rejects anything else.\
        """,
        "Complete the entry.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      for (var entry : rule.node().items("verifyImages")) {
        judge(rule, entry, found);
      }
    }
  }

  private static void judge(LegacyRule rule, Node entry, LintFindingSink found) {
    if (entry.items("imageReferences").isEmpty() && !entry.has("image")) {
      found.at(entry, rule.label() + " has no imageReferences; Kyverno rejects it");
    }
    entry.items("imageReferences").stream()
        .filter(node -> node.text().filter(text -> text.contains("{{")).isPresent())
        .forEach(node ->
            found.at(node, "an image reference cannot have a variable; Kyverno rejects it"));
    var notary = entry.text("type").filter("Notary"::equals).isPresent();
    Stream.concat(
            entry.items("attestors").stream(),
            entry.items("attestations").stream()
                .flatMap(attestation -> attestation.items("attestors").stream()))
        .forEach(set -> judgeSet(set, found));
    if (notary) {
      entry.items("attestors").stream()
          .flatMap(set -> set.items("entries").stream())
          .flatMap(
              attestor -> Stream.of("keys", "keyless").flatMap(name -> attestor.at(name).stream()))
          .forEach(node ->
              found.at(node, node.name() + " is not for the type Notary; Kyverno rejects it"));
    }
  }

  private static void judgeSet(Node set, LintFindingSink found) {
    var entries = set.items("entries");
    if (entries.isEmpty()) {
      found.at(set, "the set of attestors has no entries; Kyverno rejects it");
    }
    set.at("count")
        .filter(node ->
            node.value() instanceof Value.Numeric(var count)
                && new BigDecimal(count).compareTo(BigDecimal.valueOf(entries.size())) > 0)
        .ifPresent(
            node -> found.at(node, "count exceeds the number of entries; Kyverno rejects it"));
    for (var entry : entries) {
      var attestors = ATTESTORS.stream().flatMap(name -> entry.at(name).stream()).toList();
      if (attestors.size() != 1) {
        found.at(
            entry,
            "the attestor has not exactly one of "
                + String.join(", ", ATTESTORS)
                + "; Kyverno rejects it");
      } else {
        judgeAttestor(attestors.getFirst(), found);
      }
    }
  }

  private static void judgeAttestor(Node attestor, LintFindingSink found) {
    switch (attestor.name()) {
      case "keys" -> requireOne(attestor, List.of("publicKeys", "kms", "secret"), found);
      case "certificates" -> requireOne(attestor, List.of("cert", "certChain"), found);
      case "keyless" -> requireOne(attestor, List.of("rekor", "roots"), found);
      default -> judgeSet(attestor, found);
    }
  }

  private static void requireOne(Node node, List<String> names, LintFindingSink found) {
    if (names.stream().noneMatch(name -> node.at(name).filter(it -> !it.isText("")).isPresent())) {
      found.at(
          node, node.name() + " has none of " + String.join(", ", names) + "; Kyverno rejects it");
    }
  }
}
