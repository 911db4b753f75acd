package dev.policysync.report;

/// The tag of an image: `v1.19.0` of `ghcr.io/kyverno/kyverno:v1.19.0@sha256:…`.
final class ImageTag {
  private ImageTag() {}

  /// The tag; empty where the image is named by its digest alone, or by nothing.
  static String of(String image) {
    var digest = image.indexOf('@');
    var named = digest < 0 ? image : image.substring(0, digest);
    var colon = named.lastIndexOf(':');
    // Before the last slash a colon belongs to a registry's port.
    return colon > named.lastIndexOf('/') ? named.substring(colon + 1) : "";
  }
}
