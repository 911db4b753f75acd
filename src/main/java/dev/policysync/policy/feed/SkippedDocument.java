package dev.policysync.policy.feed;

import dev.policysync.policy.Position;

/// A document among policies that is not meant as a policy: a `Deployment`, a Helm template.
///
/// @param what the reason, by which skipped documents are counted
public record SkippedDocument(What what, String kind, Position position) {
  /// Why a document is not a policy.
  public enum What {
    OTHER_KIND,
    /// A document without an apiVersion or a kind, such as `values.yaml`.
    NO_OBJECT,
    /// A template of a Helm chart, which is YAML only once it is rendered.
    HELM_TEMPLATE,
    /// The input of `kustomize build`.
    KUSTOMIZATION,
    /// A patch that a kustomization in the same run names. It is only a part of a policy.
    KUSTOMIZE_PATCH,
    /// The result that a test expects of a policy, as in Chainsaw: a status without a spec, or a
    /// name that is an expression, `($test.metadata.name)`.
    TEST
  }
}
