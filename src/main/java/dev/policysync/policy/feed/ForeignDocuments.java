package dev.policysync.policy.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.SkippedDocument.What;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Distinguishes policies with a mistake from other documents of a repository. This is only for
/// commands that examine files: in a feed, each document has to be a policy.
final class ForeignDocuments {
  private static final Pattern TEMPLATE =
      Pattern.compile(
          "\\{\\{(-|\\s*(if|else|end|include|range|with|define|template|toYaml|tpl|\\$|/\\*)"
              + "|[^}]*\\.(Values|Release|Chart|Files|Capabilities)\\b)");

  /// A name that Chainsaw fills in: `($test.metadata.name)`.
  private static final Pattern EXPRESSION = Pattern.compile("\\(.*\\)");

  /// The kinds in Kyverno's API groups that are not policies.
  private static final Set<String> OTHERS_OF_KYVERNO =
      Set.of(
          "AdmissionReport",
          "BackgroundScanReport",
          "ClusterAdmissionReport",
          "ClusterBackgroundScanReport",
          "Test",
          "UpdateRequest",
          "UserInfo",
          "Values");

  /// The API groups of other programs of the Kyverno project: Kyverno JSON, Chainsaw, the command
  /// line, the authorizer for Envoy. Some have kinds with the names of policy kinds.
  private static final Set<String> OTHER_PROGRAMS =
      Set.of("chainsaw.kyverno.io", "cli.kyverno.io", "envoy.kyverno.io", "json.kyverno.io");

  private static final Set<String> KINDS_OF_PATCHES =
      Set.of("patches", "patchesStrategicMerge", "patchesJson6902");

  private final List<SkippedDocument> skipped = new ArrayList<>();
  private final Set<Path> patches = new HashSet<>();

  /// Skips an object that is not meant as a policy.
  ///
  /// @param problems whether the object breaks a rule for policies
  /// @return whether the object was skipped
  boolean skipIfForeign(ManifestObject object, Manifest manifest, boolean problems) {
    var kind = object.fields().text("kind").orElse("");
    var what = what(manifest, object.fields(), problems);
    what.ifPresent(it -> skipped.add(new SkippedDocument(it, kind, object.position())));
    if (what.filter(What.KUSTOMIZATION::equals).isPresent()) {
      notePatches(Path.of(manifest.name()), object.fields());
    }
    return what.isPresent();
  }

  /// Skips a document that is not a mapping or not valid YAML, if it is not meant as a policy.
  ///
  /// @param yaml whether the document is valid YAML
  /// @return whether the document was skipped
  boolean skipIfForeign(Manifest manifest, Position position, boolean yaml) {
    if (isTemplate(manifest)) {
      return skipped.add(new SkippedDocument(What.HELM_TEMPLATE, "", position));
    }
    return yaml && skipped.add(new SkippedDocument(What.NO_OBJECT, "", position));
  }

  /// Returns whether a file is a patch of a kustomization that was read.
  boolean isPatch(Position position) {
    return patches.contains(Path.of(position.source()).normalize());
  }

  void addPatch(Position position) {
    skipped.add(new SkippedDocument(What.KUSTOMIZE_PATCH, "", position));
  }

  List<SkippedDocument> skipped() {
    return skipped;
  }

  private static Optional<What> what(Manifest manifest, Value.Mapping fields, boolean problems) {
    var apiVersion = fields.text("apiVersion").orElse("");
    var kind = fields.text("kind").orElse("");
    var group = PartialIdentity.group(apiVersion);
    if (group.equals("kustomize.config.k8s.io") || isKustomization(manifest)) {
      return Optional.of(What.KUSTOMIZATION);
    }
    if (problems && isTemplate(manifest)) {
      return Optional.of(What.HELM_TEMPLATE);
    }
    if (PolicyKind.of(group, kind).isPresent()) {
      return problems && isOfTest(fields) ? Optional.of(What.TEST) : Optional.empty();
    }
    if (OTHER_PROGRAMS.contains(group) && !kind.isEmpty()) {
      return Optional.of(What.OTHER_KIND);
    }
    if (isList(kind)) {
      return Optional.empty();
    }
    var ours = PolicyKind.all().stream().filter(known -> !known.builtIn()).toList();
    var namesOurKind = ours.stream().anyMatch(known -> known.kind().equals(kind));
    if (apiVersion.isEmpty() || !apiVersion.contains("/")) {
      return namesOurKind
          ? Optional.empty()
          : Optional.of(apiVersion.isEmpty() || kind.isEmpty() ? What.NO_OBJECT : What.OTHER_KIND);
    }
    var ourGroup = ours.stream().anyMatch(known -> known.group().equals(group));
    return (ourGroup && !OTHERS_OF_KYVERNO.contains(kind))
            || (namesOurKind && group.contains("kyverno"))
        ? Optional.empty()
        : Optional.of(kind.isEmpty() ? What.NO_OBJECT : What.OTHER_KIND);
  }

  private static boolean isOfTest(Value.Mapping fields) {
    var name = fields.mapping("metadata").text("name").orElse("");
    return (fields.fields().containsKey("status") && !fields.fields().containsKey("spec"))
        || EXPRESSION.matcher(name).matches();
  }

  /// Returns whether the kind is a list. Only a list without items is treated as one object.
  private static boolean isList(String kind) {
    return kind.equals("List")
        || PolicyKind.all().stream().anyMatch(known -> kind.equals(known.kind() + "List"));
  }

  private static boolean isKustomization(Manifest manifest) {
    return manifest.name().matches("(.*[/\\\\])?[kK]ustomization(\\.ya?ml)?");
  }

  private static boolean isTemplate(Manifest manifest) {
    return TEMPLATE.matcher(new String(manifest.bytes(), UTF_8)).find();
  }

  private void notePatches(Path kustomization, Value.Mapping fields) {
    for (var field : KINDS_OF_PATCHES) {
      fields.items(field).stream()
          .flatMap(ForeignDocuments::path)
          .filter(path -> !path.contains("\n"))
          .forEach(path -> patches.add(kustomization.resolveSibling(path).normalize()));
    }
  }

  private static Stream<String> path(Value patch) {
    return switch (patch) {
      case Value.Text(var text) -> Stream.of(text);
      case Value.Mapping mapping -> mapping.text("path").stream();
      default -> Stream.empty();
    };
  }
}
