package dev.policysync.report;

import com.fasterxml.jackson.core.JsonParser;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One page of policies: what they say about themselves, and of some kinds the whole objects.
public final class PolicyPage implements PageReader {
  private static final String MANAGED_FIELDS = "managedFields";

  private final PolicyKind kind;
  private final String version;
  private final Optional<UploadItems> upload;
  private final List<Annotated> policies = new ArrayList<>();
  private final List<PolicyId> judging = new ArrayList<>();
  private final List<PolicyId> successors = new ArrayList<>();
  private final List<PolicyId> rehearsing = new ArrayList<>();
  private final int page;

  private record Annotated(PolicyId id, Value.Mapping annotations) {}

  /// @param page its number, by which what it brings to the upload is known to be valid
  /// @param upload where whole objects go, if they are wanted
  public PolicyPage(PolicyKind kind, String version, int page, Optional<UploadItems> upload) {
    this.kind = kind;
    this.version = version;
    this.page = page;
    this.upload = upload;
  }

  public int number() {
    return page;
  }

  public void noteIn(PolicyMetadataIndex book) {
    policies.forEach(policy -> book.add(policy.id(), policy.annotations()));
  }

  /// Those with rules that judge what is there in the background, which reports have results of.
  public List<PolicyId> judging() {
    return judging;
  }

  /// Those of policies.kyverno.io that judge what is there, unless their background scan is off.
  public List<PolicyId> successors() {
    return successors;
  }

  /// Those that only rehearse what another one does, whose results are no findings.
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
      judging.add(id);
    }
    if (kind.type() == PolicyKind.Type.VALIDATING
        || kind.type() == PolicyKind.Type.IMAGE_VALIDATING) {
      successors.add(id);
    }
    upload.ifPresent(items ->
        // Objects of built-in kinds stand in a list without saying what they are.
        items.add(
            page,
            Json.write(
                object
                    .with("apiVersion", new Value.Text(kind.group() + "/" + version))
                    .with("kind", new Value.Text(kind.kind()))
                    .with("metadata", metadata.without(MANAGED_FIELDS)))));
  }

  /// A copy of one, with its annotations, stands for itself.
  private static boolean rehearses(PolicyId id, Value.Mapping annotations) {
    return annotations.field(OwnershipAnnotations.REHEARSES).isPresent()
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
