package dev.policysync.report;

/// The resource that a result is about: `apps/v1 Deployment shop/cart`. Reports may omit any part;
/// a missing part is empty.
///
/// @param namespace empty for a cluster-scoped resource
public record Resource(String apiVersion, String kind, String namespace, String name, String uid) {
  /// Returns a label for people: `Deployment/shop/cart`, `Namespace/shop`.
  public String label() {
    return kind + "/" + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
