package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;

/// Tests all containers but one of `containers`. To see what an exclusion without images covers,
/// Kyverno puts a container without a security context into a Pod; its violation removes one of the
/// real Pod's.
///
/// Source: Kyverno 1.19, `GetPodWithMatchingContainers`.
final class OneViolationAllowed {
  private OneViolationAllowed() {}

  /// @param ofContainer the test that all containers but one have to pass
  static Cel of(PodPlaces pod, Cel ofContainer) {
    var others = "(" + PodPlaces.otherContainers(pod.pod()) + ")";
    return Fields.all(others, "c", ofContainer)
        .and(
            Cel.comparison(pod.containers() + ".filter(c, " + ofContainer.not() + ").size() <= 1"));
  }
}
