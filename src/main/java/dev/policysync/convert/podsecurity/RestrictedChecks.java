package dev.policysync.convert.podsecurity;

import static dev.policysync.convert.podsecurity.Fields.isSet;
import static dev.policysync.convert.podsecurity.Fields.unsetOrAll;
import static dev.policysync.convert.podsecurity.Fields.value;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.podsecurity.Check.Plain;
import java.util.List;
import java.util.stream.Collectors;

/// The checks of level restricted beside those of baseline.
///
/// Source: `policy/check_*.go` of pod-security-admission, as Kyverno 1.19 forked it.
final class RestrictedChecks {
  /// The minor version of the first release in which Pods for Windows pass some controls.
  static final int WINDOWS = 25;

  private static final List<String> VOLUMES =
      List.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private RestrictedChecks() {}

  static List<Check> of(Release release) {
    var exceptWindows = release.isAtLeast(WINDOWS);
    return List.of(
        Plain.ofPod(
            Control.VOLUME_TYPES,
            "volumes must be of a type of level restricted",
            pod -> unsetOrAll(pod.pod(), "spec.volumes", "volume", hasVolumeType())),
        Plain.ofContainers(
                Control.PRIVILEGE_ESCALATION,
                "allowPrivilegeEscalation must be false",
                container ->
                    Cel.comparison(
                        value(container, "securityContext.allowPrivilegeEscalation") + " == false"))
            .exceptWindowsIf(exceptWindows),
        new RunAsNonRoot(),
        Plain.ofBoth(
            Control.RUN_AS_USER,
            "runAsUser must not be 0",
            (holder, context) -> Cel.comparison(value(holder, context + ".runAsUser") + " != 0")),
        new RestrictedSeccomp(exceptWindows),
        Plain.ofContainers(
                Control.CAPABILITIES,
                "capabilities must drop ALL, and may add NET_BIND_SERVICE only",
                RestrictedChecks::dropsAll)
            .exceptWindowsIf(exceptWindows));
  }

  /// Tests whether a volume has an allowed type. A volume that has another type as well passes, and
  /// a volume without any type does not.
  private static Cel hasVolumeType() {
    var types = VOLUMES.stream().map(Quoted::text).collect(Collectors.joining(", ", "[", "]"));
    return Cel.call(types + ".exists(type, volume[?type].orValue(null) != null)");
  }

  private static Cel dropsAll(String container) {
    var dropped = "securityContext.capabilities.drop";
    return Cel.all(
        List.of(
            isSet(container, dropped),
            Cel.comparison("\"ALL\" in " + container + "." + dropped),
            unsetOrAll(
                container,
                "securityContext.capabilities.add",
                "name",
                Cel.comparison("name == \"NET_BIND_SERVICE\""))));
  }
}
