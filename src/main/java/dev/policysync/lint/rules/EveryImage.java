package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KindName;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Reports image verification that applies to all images.
final class EveryImage implements Rule {
  private static final Set<String> RESOURCES =
      Set.of(
          "*",
          "pods",
          "daemonsets",
          "deployments",
          "jobs",
          "statefulsets",
          "replicasets",
          "replicationcontrollers",
          "cronjobs");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS035",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Signature required for all images",
        """
        A pattern such as `*` requires the same signature for every image, including cluster add-ons, injected \
        sidecars, `kubectl debug` images and Kyverno itself. A new node whose network plug-in is not signed with \
        that key does not become ready. Only blocking rules for Pods and their controllers, without `skipImageReferences`, are \
        reported.\
        """,
        "List the registries or repositories whose images are signed.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      if (rule.blocks() && rule.kinds().stream().anyMatch(EveryImage::runsImages)) {
        rule.node().items("verifyImages").stream()
            .filter(entry -> !entry.isSetTo("required", false))
            .filter(entry -> entry.items("skipImageReferences").isEmpty())
            .flatMap(EveryImage::references)
            .forEach(node -> judge(node, rule.label(), found));
      }
    }
    if (CelImages.denies(policy) && runsImages(policy.spec())) {
      policy.spec().items("matchImageReferences").stream()
          .flatMap(reference -> reference.at("glob").stream())
          .forEach(node -> judge(node, "the policy", found));
    }
  }

  /// Returns whether nodes pull the images of this kind. A Tekton task or a Dockerfile names images
  /// that no node pulls for it.
  private static boolean runsImages(KindName kind) {
    return kind.isWildcard()
        || (kind.mayBeBuiltIn()
            && (kind.isPod() || KindName.POD_CONTROLLERS.contains(kind.kind())));
  }

  private static boolean runsImages(Node spec) {
    var resources =
        spec.items("matchConstraints", "resourceRules").stream()
            .flatMap(rule -> rule.texts("resources").stream())
            .toList();
    return !spec.at("evaluation", "mode").filter(mode -> mode.isText("JSON")).isPresent()
        && (resources.isEmpty() || resources.stream().anyMatch(RESOURCES::contains));
  }

  private static Stream<Node> references(Node entry) {
    return Stream.concat(entry.items("imageReferences").stream(), entry.at("image").stream());
  }

  private static void judge(Node reference, String label, LintFindingSink found) {
    if (reference.text().filter(EveryImage::isEverything).isPresent()) {
      found.at(
          reference, label + " blocks every image without this signature, whatever its origin");
    }
  }

  private static boolean isEverything(String reference) {
    return !reference.isEmpty()
        && List.of("*/:".split("")).containsAll(List.of(reference.split("")));
  }
}
