package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;

/// All containers but one of `containers`: that one violation is taken away for the container
/// without a security context that Kyverno puts into a Pod to see what an exclusion without images
/// is about.
///
/// Source: Kyverno 1.19, `GetPodWithMatchingContainers`.
final class OneForgiven {
  private OneForgiven() {}

  /// @param ofContainer what all but one have to be like
  static Cel of(PodPlaces pod, Cel ofContainer) {
    var others = "(" + PodPlaces.otherContainers(pod.pod()) + ")";
    return Fields.all(others, "c", ofContainer)
        .and(
            Cel.comparison(pod.containers() + ".filter(c, " + ofContainer.not() + ").size() <= 1"));
  }
}
