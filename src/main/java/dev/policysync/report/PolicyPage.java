package dev.policysync.report;

import com.fasterxml.jackson.core.JsonParser;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One page of policies: their annotations and, for some kinds, the whole objects for the upload.
final class PolicyPage implements PageReader {
  private static final String MANAGED_FIELDS = "managedFields";

  private final PolicyKind kind;
  private final String version;
  private final Optional<UploadItems> upload;
  private final List<Annotated> policies = new ArrayList<>();
  private final List<PolicyId> backgroundPolicies = new ArrayList<>();
  private final List<PolicyId> successors = new ArrayList<>();
  private final List<PolicyId> rehearsing = new ArrayList<>();
  private final int page;

  private record Annotated(PolicyId id, Value.Mapping annotations) {}

  /// @param page the page's number, by which its items in the upload are recognized as valid
  /// @param upload the list for whole objects; empty if they are not uploaded
  public PolicyPage(PolicyKind kind, String version, int page, Optional<UploadItems> upload) {
    this.kind = kind;
    this.version = version;
    this.page = page;
    this.upload = upload;
  }

  public int number() {
    return page;
  }

  public void addTo(PolicyMetadataIndex index) {
    policies.forEach(policy -> index.add(policy.id(), policy.annotations()));
  }

  /// Returns the policies of kyverno.io with validate or verifyImages rules that a background scan
  /// evaluates; reports contain results of these.
  public List<PolicyId> backgroundPolicies() {
    return backgroundPolicies;
  }

  /// Returns the ValidatingPolicies and ImageValidatingPolicies of policies.kyverno.io.
  public List<PolicyId> successors() {
    return successors;
  }

  /// Returns the successors that only rehearse another policy; their results are not findings.
  public List<PolicyId> rehearsing() {
    return rehearsing;
  }

  @Override
  public void object(JsonParser parser) throws IOException {
    if (!(Json.next(parser, MANAGED_FIELDS) instanceof Value.Mapping object)) {
      return;
    }
    var metadata = object.mapping("metadata");
    var name = metadata.text("name").orElse("");
    var namespace = metadata.text("namespace").filter(ns -> !ns.isEmpty());
    if (name.isEmpty() || kind.namespaced() != namespace.isPresent()) {
      return;
    }
    var id = new PolicyId(kind, namespace, name);
    var annotations = metadata.mapping("annotations");
    policies.add(new Annotated(id, annotations));
    if (rehearses(id, annotations)) {
      rehearsing.add(id);
    }
    if (kind.endsWithKyverno119() && judges(object.mapping("spec"))) {
      backgroundPolicies.add(id);
    }
    if (kind.type() == PolicyKind.Type.VALIDATING
        || kind.type() == PolicyKind.Type.IMAGE_VALIDATING) {
      successors.add(id);
    }
    upload.ifPresent(items ->
        // Items in a list of a built-in kind have no apiVersion and kind.
        items.add(
            page,
            Json.write(
                object
                    .with("apiVersion", kind.group() + "/" + version)
                    .with("kind", kind.kind())
                    .with("metadata", metadata.without(MANAGED_FIELDS)))));
  }

  /// Returns whether the policy rehearses another one. A copy of such a policy, annotations
  /// included, is a policy in its own right.
  private static boolean rehearses(PolicyId id, Value.Mapping annotations) {
    return Succession.of(annotations::text).filter(Succession::rehearses).isPresent()
        && annotations
            .text(OwnershipAnnotations.APPLIED)
            .filter(signature -> signature.startsWith(id.key() + "@"))
            .isPresent();
  }

  private static boolean judges(Value.Mapping spec) {
    return !spec.field("background").equals(Optional.of(new Value.Bool(false)))
        && spec.mappings("rules").stream()
            .anyMatch(rule ->
                rule.field("validate").isPresent() || rule.field("verifyImages").isPresent());
  }
}
