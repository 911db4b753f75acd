package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;
import static dev.policysync.lint.LintSeverity.NOTE;
import static dev.policysync.lint.LintSeverity.WARNING;
import static dev.policysync.lint.rules.LegacyRule.each;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.FailureAction;
import dev.policysync.policy.kyverno.KindName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rules about the verification of images, by `verifyImages` and by an ImageValidatingPolicy.
final class Images {
  private Images() {}

  static List<Rule> rules() {
    return List.of(
        ON_CONTROLLERS, AUDITED_DIGEST, DIGEST_DEMANDED, SLOW, EVERY_IMAGE, INVALID_ENTRY);
  }

  private static boolean isImagePolicy(LintedPolicy policy) {
    return policy.type() == PolicyKind.Type.IMAGE_VALIDATING;
  }

  private static final Rule ON_CONTROLLERS =
      Rule.warning(
          "PS001",
          "verifyImages with Enforce applies to pod controllers",
          """
          Unless autogen is disabled, Kyverno applies a `verifyImages` rule for Pods to Deployments, StatefulSets, \
          DaemonSets, Jobs and CronJobs as well. There it interferes with later updates:

          - Up to 1.10.0, if one of several images of a controller changes, the unchanged ones are skipped and then \
          reported missing: `unverified image …` (kyverno#5821, #7651).
          - Up to 1.12.6, and in 1.13.0, an update by a client that drops or rewrites the annotation \
          `kyverno.io/verify-images` (helm --force, a PUT, a rollback, a sidecar injector) is rejected: \
          `kyverno.io/verify-images annotation cannot be changed` (kyverno#11528, #11529, #11544).
          - From 1.12.7 to 1.18.2 an image that an update does not change is treated as verified without a check.
          - Since 1.19 the first update of every existing workload, even of its scale, is verified again and blocked \
          if an image is not signed (kyverno#16800).

          A rule is reported if it enforces, an entry has `required` (the default), and it either matches a \
          controller or meets the conditions of autogen. This is a warning, and an error if the release of \
          Kyverno is given (`--kyverno-version`) and older than 1.18.2.\
          """,
          "Match only Pod, and set the annotation pod-policies.kyverno.io/autogen-controllers: "
              + "none. Pods are still verified, whatever creates them.",
          each(Images::judgeControllers));

  private static final AffectedVersions FIXED = AffectedVersions.since("1.18.2");

  private static void judgeControllers(LegacyRule rule, LintFindingSink found) {
    var images = rule.node().at("verifyImages");
    if (images.isEmpty()
        || !rule.blocks()
        || images.get().items().stream().allMatch(entry -> entry.isFalse("required"))) {
      return;
    }
    var severity = found.mayBeAffected(FIXED) ? WARNING : ERROR;
    var direct = Autogen.controller(rule.node().mapping());
    if (direct.isPresent()) {
      found.at(
          images.get(),
          severity,
          rule.label()
              + " verifies the images of a "
              + direct.get()
              + " itself, not only of its Pods; later updates of a workload with several images"
              + " can be blocked (\"unverified image\", \"annotation cannot be changed\")");
    } else if (Autogen.appliesTo(rule.policy().root().mapping(), rule.node().mapping())) {
      found.at(
          images.get(),
          severity,
          rule.label()
              + " matches Pods, but Kyverno's autogen applies it to Deployments and other pod"
              + " controllers; later updates of a workload with several images can be blocked"
              + " (\"unverified image\", \"annotation cannot be changed\")");
    }
  }

  private static final Rule AUDITED_DIGEST =
      Rule.error(
          "PS023",
          "verifyImages with Audit mutates digests",
          """
          A `verifyImages` entry replaces tags with the verified digest, unless `mutateDigest: false` is set. With \
          the action Audit the image may not have been verified, so Kyverno's webhook rejects the policy: \
          `mutateDigest must be set to false for 'Audit' failure action`. Audit is the default: an entry is audited \
          unless it, an earlier entry, or the policy's `validationFailureAction` sets Enforce. Five policies of \
          Kyverno's library are rejected for this reason.\
          """,
          "Set mutateDigest: false in the entry, or failureAction: Enforce.",
          each(Images::judgeAuditedDigest));

  private static void judgeAuditedDigest(LegacyRule rule, LintFindingSink found) {
    var enforced = FailureAction.enforces(rule.policy().spec().text("validationFailureAction"));
    for (var entry : rule.node().items("verifyImages")) {
      if (entry.has("failureAction")) {
        enforced = FailureAction.enforces(entry.text("failureAction"));
      }
      if (!enforced && !entry.isFalse("mutateDigest")) {
        found.at(
            entry.at("mutateDigest").orElseGet(() -> entry.atOrSelf("failureAction")),
            rule.label()
                + " only audits but replaces tags with digests; Kyverno rejects this combination");
      }
    }
  }

  private static final Rule DIGEST_DEMANDED =
      Rule.warning(
          "PS024",
          "Images without a digest are blocked",
          """
          `verifyDigest` is on by default: an image must be referenced by digest. Usually `mutateDigest`, also on by \
          default, first writes the digest into the object. With `mutateDigest: false` and Enforce every Pod whose \
          image has only a tag is rejected, even if its signature is valid: `missing digest for …`. For an \
          ImageValidatingPolicy the same holds with `validationConfigurations`.\
          """,
          "Set verifyDigest: false as well, or keep mutateDigest on; keep the policy if every "
              + "image is deployed by digest.",
          Images::judgeDemandedDigest);

  private static void judgeDemandedDigest(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      if (rule.blocks()) {
        rule.node()
            .items("verifyImages")
            .forEach(entry -> judgeDemandedDigest(entry, rule.label(), found));
      }
    }
    if (isImagePolicy(policy) && policy.denies()) {
      policy
          .spec()
          .at("validationConfigurations")
          .ifPresent(configuration -> judgeDemandedDigest(configuration, "the policy", found));
    }
  }

  private static void judgeDemandedDigest(Node entry, String who, LintFindingSink found) {
    if (entry.isFalse("mutateDigest") && !entry.isFalse("verifyDigest")) {
      found.at(
          entry.atOrSelf("mutateDigest"),
          who
              + " requires digests (verifyDigest) but does not add them (mutateDigest), so"
              + " images with a tag are blocked");
    }
  }

  private static final Rule SLOW =
      Rule.warning(
          "PS025",
          "Slow image verification",
          """
          Verifying an image calls its registry; attestations take several downloads per image. The webhook timeout, 10 seconds by default, applies to all policies and images of a request together; on timeout, the request is rejected or allowed unverified, depending on `failurePolicy`. Attestations with the default timeout are a warning if requests are rejected, otherwise a note; up to 30 seconds can be set.

          With `background` on, which is the default, every hourly scan queries the registry again for the images of all running Pods. A registry with rate limits then returns errors, and reports change without a change in the cluster; this is a note.\
          """,
          "Set webhookConfiguration.timeoutSeconds to 30.",
          Images::judgeTime);

  private static final BigDecimal DEFAULT_SECONDS = BigDecimal.TEN;

  private static void judgeTime(LintedPolicy policy, LintFindingSink found) {
    var spec = policy.spec();
    if (policy.hasRules()) {
      spec.all("rules[].verifyImages[].attestations")
          .findFirst()
          .ifPresent(attestations -> judgeTimeout(attestations, policy, found));
      if (policy.background()) {
        spec.all("rules[].verifyImages")
            .findFirst()
            .map(images -> spec.at("background").orElse(images))
            .ifPresent(node -> reportScan(node, "Set spec.background: false.", found));
      }
    }
    if (isImagePolicy(policy)) {
      spec.at("attestations").ifPresent(node -> judgeTimeout(node, policy, found));
      if (!spec.isFalse("evaluation", "background", "enabled")) {
        reportScan(
            spec.atOrSelf("evaluation", "background", "enabled"),
            "Set spec.evaluation.background.enabled: false.",
            found);
      }
    }
  }

  private static void reportScan(Node node, String fix, LintFindingSink found) {
    found.at(node, NOTE, "every background scan queries the registry for all images again", fix);
  }

  private static void judgeTimeout(Node attestations, LintedPolicy policy, LintFindingSink found) {
    var set =
        policy
            .spec()
            .all("webhookConfiguration.timeoutSeconds", "webhookTimeoutSeconds")
            .findFirst();
    var seconds = set.flatMap(Node::number).orElse(DEFAULT_SECONDS);
    if (seconds.compareTo(DEFAULT_SECONDS) <= 0) {
      found.at(
          set.orElse(attestations),
          policy.failsClosed() ? WARNING : NOTE,
          "attestations must be downloaded within "
              + seconds.toPlainString()
              + " seconds, which is often too short");
    }
  }

  private static final Rule EVERY_IMAGE =
      Rule.warning(
          "PS035",
          "Signature required for all images",
          """
          A pattern such as `*` requires the same signature for every image, including cluster add-ons, injected \
          sidecars, `kubectl debug` images and Kyverno itself. A new node whose network plug-in is not signed with \
          that key does not become ready. Only blocking rules for Pods and their controllers, without `skipImageReferences`, are \
          reported.\
          """,
          "List the registries or repositories whose images are signed.",
          Images::judgeReferences);

  /// The kinds whose images nodes pull. A Tekton task or a Dockerfile names images that no node
  /// pulls for it.
  private static final Set<String> RUNNING_KINDS =
      Stream.concat(KindName.POD_CONTROLLERS.stream(), Stream.of("*", "Pod"))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> RUNNING_RESOURCES = Blocking.resources(RUNNING_KINDS);

  private static void judgeReferences(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      if (rule.blocks()
          && rule.kinds().stream().anyMatch(kind -> Blocking.isBuiltInOf(RUNNING_KINDS, kind))) {
        rule.node().items("verifyImages").stream()
            .filter(entry -> !entry.isFalse("required"))
            .filter(entry -> entry.items("skipImageReferences").isEmpty())
            .flatMap(entry -> entry.all("imageReferences[]", "image"))
            .forEach(node -> judgeReference(node, rule.label(), found));
      }
    }
    if (isImagePolicy(policy) && policy.denies() && runsImages(policy)) {
      policy
          .spec()
          .all("matchImageReferences[].glob")
          .forEach(node -> judgeReference(node, "the policy", found));
    }
  }

  /// Returns whether objects of the kind run images.
  static boolean runs(KindName kind) {
    return Blocking.isBuiltInOf(RUNNING_KINDS, kind);
  }

  private static boolean runsImages(LintedPolicy policy) {
    var resources = policy.resources().filter(Node::isText).map(Node::text).toList();
    return !policy.spec().text("evaluation", "mode").equals("JSON")
        && (resources.isEmpty() || resources.stream().anyMatch(RUNNING_RESOURCES::contains));
  }

  private static void judgeReference(Node reference, String who, LintFindingSink found) {
    var text = reference.text();
    if (!text.isEmpty() && List.of("*/:".split("")).containsAll(List.of(text.split("")))) {
      found.at(reference, who + " blocks every image without this signature, whatever its origin");
    }
  }

  /// Source: Kyverno 1.19, `ImageVerification.Validate`, `validateAttestorSet`, `Attestor.Validate`
  /// and the functions that it calls, `imageRefHasVariables`,
  /// `validateRuleImageExtractorsJMESPath`.
  private static final Rule INVALID_ENTRY =
      Rule.error(
          "PS048",
          "Invalid verifyImages entry",
          """
          An entry requires `imageReferences`, without variables. Each set of attestors requires entries, as many as \
          its `count` at least, and each of these exactly one of `keys` (with a key, a KMS or a Secret), \
          `certificates` (with cert or certChain), `keyless` (with rekor.url or roots) and `attestor`. `type: Notary` \
          has neither keys nor keyless. Kyverno rejects anything else.\
          """,
          "Complete the entry.",
          each(Images::judgeEntries));

  private static final List<String> ATTESTORS =
      List.of("keys", "certificates", "keyless", "attestor");

  private static void judgeEntries(LegacyRule rule, LintFindingSink found) {
    rule.node().items("verifyImages").forEach(entry -> judgeEntry(rule, entry, found));
  }

  private static void judgeEntry(LegacyRule rule, Node entry, LintFindingSink found) {
    if (entry.items("imageReferences").isEmpty() && !entry.has("image")) {
      found.refused(entry, rule.label() + " has no imageReferences");
    }
    entry
        .all("imageReferences[]")
        .filter(node -> node.text().contains("{{"))
        .forEach(node -> found.refused(node, "an image reference cannot have a variable"));
    entry
        .all("attestors[]", "attestations[].attestors[]")
        .forEach(set -> judgeAttestors(set, found));
    if (entry.text("type").equals("Notary")) {
      entry
          .all("attestors[].entries[]")
          .flatMap(attestor -> attestor.all("keys", "keyless"))
          .forEach(node -> found.refused(node, node.name() + " is not for the type Notary"));
    }
  }

  private static void judgeAttestors(Node set, LintFindingSink found) {
    var entries = set.items("entries");
    if (entries.isEmpty()) {
      found.refused(set, "the set of attestors has no entries");
    }
    set.at("count")
        .filter(node ->
            node.number()
                .filter(it -> it.compareTo(BigDecimal.valueOf(entries.size())) > 0)
                .isPresent())
        .ifPresent(node -> found.refused(node, "count exceeds the number of entries"));
    for (var entry : entries) {
      var attestors = entry.all(ATTESTORS).toList();
      if (attestors.size() != 1) {
        found.refused(entry, "the attestor has not exactly one of " + String.join(", ", ATTESTORS));
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
      default -> judgeAttestors(attestor, found);
    }
  }

  private static void requireOne(Node node, List<String> names, LintFindingSink found) {
    if (node.all(names).allMatch(field -> field.isText(""))) {
      found.refused(node, node.name() + " has none of " + String.join(", ", names));
    }
  }
}
