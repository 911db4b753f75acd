package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;
import java.util.List;

/// That each container has a seccomp profile, or the Pod. Whether they are good ones, baseline
/// judges beside this.
///
/// Where a profile is bad, Kyverno says nothing of those that are missing. So where exclusions take
/// the bad ones away, the missing ones pass as well, whichever containers they are of.
///
/// Source: Kyverno 1.19, `exemptExclusions`; `check_seccompProfile_restricted.go`.
///
/// @param exceptWindows whether Pods for Windows need none
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
            ? OneForgiven.of(pod, has)
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
