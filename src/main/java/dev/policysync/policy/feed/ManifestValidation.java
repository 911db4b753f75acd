package dev.policysync.policy.feed;

import dev.policysync.json.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What an object of the feed must be so that it can be applied as a policy and recognised later.
/// The rest is for the API server and Kyverno to judge.
final class ManifestValidation {
  private static final Pattern VERSION = Pattern.compile("v\\d+((alpha|beta)\\d+)?");
  private static final Value EMPTY = new Value.Text("");
  private static final List<String> KYVERNOS_PREFIXES = List.of("cpol-", "vpol-", "mpol-");

  private final ManifestObject object;
  private final Value.Mapping fields;
  private final List<Violation> violations = new ArrayList<>();

  private ManifestValidation(ManifestObject object) {
    this.object = object;
    this.fields = object.fields();
  }

  /// One rule that an object breaks.
  record Violation(Position position, String reason) {}

  /// The rules that an object breaks, in the order of its fields; none if it is a policy.
  static List<Violation> violations(ManifestObject object) {
    var rules = new ManifestValidation(object);
    rules.checkKind().ifPresent(rules::check);
    return rules.violations;
  }

  private Optional<PolicyKind> checkKind() {
    var apiVersion = requireText(fields, "apiVersion", "apiVersion");
    var kindName = requireText(fields, "kind", "kind");
    if (apiVersion.isEmpty() || kindName.isEmpty()) {
      return Optional.empty();
    }
    var kind = PolicyKind.of(PartialIdentity.group(apiVersion.get()), kindName.get());
    if (kind.isEmpty()) {
      violate(object.position(), unmanaged(kindName.get(), apiVersion.get()));
      return kind;
    }
    var version = apiVersion.get().substring(apiVersion.get().lastIndexOf('/') + 1);
    if (!VERSION.matcher(version).matches()) {
      violate(at(fields, "apiVersion"), "apiVersion has no version, such as v1 or v2beta1");
    }
    return kind;
  }

  private static String unmanaged(String kind, String apiVersion) {
    if (!PartialIdentity.canBeShown(kind) || !PartialIdentity.canBeShown(apiVersion)) {
      return "not a kind that this agent manages";
    }
    if (kind.endsWith("List")) {
      return kind + " (" + apiVersion + ") without items";
    }
    var groups =
        PolicyKind.all().stream()
            .filter(known -> known.kind().equals(kind))
            .map(PolicyKind::group)
            .collect(Collectors.joining(" or "));
    return kind
        + " ("
        + apiVersion
        + ") is not a kind that this agent manages"
        + (groups.isEmpty() ? "" : "; the group of " + kind + " is " + groups);
  }

  private void check(PolicyKind kind) {
    if (requireMapping("metadata")) {
      var metadata = fields.mapping("metadata");
      checkName(kind, metadata);
      checkNamespace(kind, metadata);
      checkTexts(metadata, "labels");
      checkTexts(metadata, "annotations");
    }
    requireMapping("spec");
  }

  private void checkName(PolicyKind kind, Value.Mapping metadata) {
    if (metadata.field("name").isEmpty() && metadata.field("generateName").isPresent()) {
      violate(
          at(metadata, "generateName"),
          "metadata.generateName would make a new policy at every run; give it a metadata.name");
      return;
    }
    var name = requireText(metadata, "name", "metadata.name");
    if (name.isEmpty()) {
      return;
    }
    if (!ObjectNames.isSubdomain(name.get())) {
      violate(
          at(metadata, "name"),
          "metadata.name is no name for Kubernetes: lower-case letters, digits, '-' and '.' only");
    }
    var reserved = kind.builtIn() && KYVERNOS_PREFIXES.stream().anyMatch(name.get()::startsWith);
    if (reserved) {
      violate(
          at(metadata, "name"),
          "names with cpol-, vpol- or mpol- are what Kyverno gives the objects that it generates;"
              + " choose another");
    }
  }

  private void checkNamespace(PolicyKind kind, Value.Mapping metadata) {
    if (!kind.namespaced()) {
      if (metadata.field("namespace").filter(value -> !value.equals(EMPTY)).isPresent()) {
        violate(
            at(metadata, "namespace"),
            kind.kind() + " lives in no namespace; remove metadata.namespace");
      }
      return;
    }
    var namespace = requireText(metadata, "namespace", "metadata.namespace");
    if (namespace.isPresent() && !ObjectNames.isLabel(namespace.get())) {
      violate(
          at(metadata, "namespace"),
          "metadata.namespace is no name for Kubernetes: lower-case letters, digits and '-' only");
    }
  }

  private void checkTexts(Value.Mapping metadata, String field) {
    var texts = metadata.field(field);
    if (texts.isEmpty()) {
      return;
    }
    if (!(texts.get() instanceof Value.Mapping mapping)) {
      violate(at(metadata, field), "metadata." + field + " is not a mapping");
      return;
    }
    for (var value : mapping.fields().values()) {
      if (!(value instanceof Value.Text)) {
        violate(
            object.position(value),
            "metadata." + field + " has a value that is not a string; quote it");
        return;
      }
    }
  }

  private boolean requireMapping(String field) {
    var value = fields.field(field);
    if (value.isEmpty()) {
      violate(object.position(), field + " is missing");
    } else if (!(value.get() instanceof Value.Mapping)) {
      violate(at(fields, field), field + " is not a mapping");
    }
    return value.isPresent() && value.get() instanceof Value.Mapping;
  }

  private Optional<String> requireText(Value.Mapping parent, String field, String path) {
    var value = parent.field(field);
    if (value.isEmpty() || value.get().equals(EMPTY)) {
      violate(object.position(parent), path + " is missing");
      return Optional.empty();
    }
    if (!(value.get() instanceof Value.Text(var text))) {
      violate(at(parent, field), path + " is not a string; quote it");
      return Optional.empty();
    }
    return Optional.of(text);
  }

  private Position at(Value.Mapping parent, String field) {
    return object.position(parent.fields().getOrDefault(field, parent));
  }

  private void violate(Position position, String reason) {
    violations.add(new Violation(position, reason));
  }
}
