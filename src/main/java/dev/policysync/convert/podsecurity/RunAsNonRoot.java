package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;

/// Requires that containers run as another user than root: each container says so, or the Pod does.
///
/// Kyverno applies an exclusion without images to a Pod with one container that does not set the
/// field. If the Pod does not set it, either, that container violates the control, and Kyverno
/// removes one violation of the real Pod's `containers` for it. So one of `containers` may violate
/// the control, but no second one.
///
/// Source: Kyverno 1.19, `exemptExclusions`; `check_runAsNonRoot.go`.
record RunAsNonRoot() implements Check {
  private static final String OF_POD = "spec.securityContext.runAsNonRoot";
  private static final String OF_CONTAINER = "securityContext.runAsNonRoot";

  @Override
  public Control control() {
    return Control.RUN_AS_NON_ROOT;
  }

  @Override
  public String asks() {
    return "runAsNonRoot must be true for each container, or for the Pod and false for none";
  }

  @Override
  public Cel holds(PodPlaces pod, Exemption exempt) {
    var podSays = isTrue(pod.pod(), OF_POD);
    var says = isTrue("c", OF_CONTAINER);
    var good = says.or(Fields.unset("c", OF_CONTAINER).and(podSays));
    if (exempt.pod()) {
      return Fields.all(pod.containers(), "c", good)
          .or(podSays.not().and(OneViolationAllowed.of(pod, says)));
    }
    return Fields.unsetOr(pod.pod(), OF_POD, "true")
        .and(Fields.all(pod.containers(), "c", exempt.ofContainer("c").or(good)));
  }

  private static Cel isTrue(String holder, String path) {
    return Cel.comparison(Fields.value(holder, path) + " == true");
  }
}
