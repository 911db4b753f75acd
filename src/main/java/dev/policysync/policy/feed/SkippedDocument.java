package dev.policysync.policy.feed;

import dev.policysync.policy.Position;

/// A document beside policies that nobody meant as one: a `Deployment`, a Helm template.
///
/// @param what how it is counted: its kind, or what it looks like
public record SkippedDocument(What what, String kind, Position position) {
  /// Why it is none.
  public enum What {
    /// An object of another kind.
    OTHER_KIND,
    /// It has neither an apiVersion nor a kind, as `values.yaml`.
    NO_OBJECT,
    /// A template of a Helm chart, which is YAML only once it is rendered.
    HELM_TEMPLATE,
    /// What `kustomize build` reads.
    KUSTOMIZATION,
    /// A patch that a kustomization in the same run names: a part of a policy.
    KUSTOMIZE_PATCH,
    /// What a test expects of a policy, as Chainsaw has it: a status without a spec, or a name that
    /// is an expression, `($test.metadata.name)`.
    TEST
  }
}
