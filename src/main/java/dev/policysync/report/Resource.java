package dev.policysync.report;

/// What a result is about: `apps/v1 Deployment shop/cart`. Reports may leave out any of it; what is
/// not given is empty.
///
/// @param namespace empty for what lives in none
public record Resource(String apiVersion, String kind, String namespace, String name, String uid) {
  /// How people name it: `Deployment/shop/cart`, `Namespace/shop`.
  public String label() {
    return kind + "/" + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
