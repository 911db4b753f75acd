package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;
import java.util.List;

/// Requires a seccomp profile for each container, or for the Pod. Whether the profiles are allowed
/// is a separate check of baseline.
///
/// Where a profile is bad, Kyverno does not report missing ones. So where exclusions remove the bad
/// ones, the missing ones pass as well, in whichever containers.
///
/// Source: Kyverno 1.19, `exemptExclusions`; `check_seccompProfile_restricted.go`.
///
/// @param exceptWindows whether Pods for Windows need no profile
record RestrictedSeccomp(boolean exceptWindows) implements Check {
  private static final String PROFILE = "securityContext.seccompProfile";

  @Override
  public Control control() {
    return Control.SECCOMP;
  }

  @Override
  public String asks() {
    return "a seccomp profile must be set for each container, or for the Pod";
  }

  @Override
  public Cel holds(PodPlaces pod, Exemption exempt) {
    var podHas = Fields.isSet(pod.pod(), "spec." + PROFILE);
    var has = Fields.isSet("c", PROFILE);
    var exemptOne = exempt.ofContainer("c");
    var each =
        exempt.pod()
            ? OneViolationAllowed.of(pod, has)
            : Fields.all(pod.containers(), "c", exemptOne.or(has));
    var bad = BaselineChecks.isProfile("c", PROFILE).not();
    var hidden =
        exemptOne.equals(Cel.FALSE)
            ? Cel.FALSE
            : Cel.call(pod.containers() + ".exists(c, " + exemptOne.and(bad) + ")");
    var windows = exceptWindows ? Check.isForWindows(pod) : Cel.FALSE;
    return Cel.any(List.of(windows, podHas, each, hidden));
  }
}
