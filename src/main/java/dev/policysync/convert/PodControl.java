package dev.policysync.convert;

import java.util.Arrays;
import java.util.Optional;

/// A control of the Pod Security Standards, by its name in exclusions: `Host Ports`.
///
/// Source: Kyverno 1.19, `pkg/pss/utils/mapping.go`.
enum PodControl {
  HOST_PROCESS("HostProcess", Reach.BOTH),
  HOST_NAMESPACES("Host Namespaces", Reach.POD),
  PRIVILEGED("Privileged Containers", Reach.CONTAINERS),
  CAPABILITIES("Capabilities", Reach.CONTAINERS),
  HOST_PATH_VOLUMES("HostPath Volumes", Reach.POD),
  HOST_PORTS("Host Ports", Reach.CONTAINERS),
  /// No exclusion can name this control.
  HOST_PROBES("Host Probes / Lifecycle Hooks", Reach.NOTHING),
  APP_ARMOR("AppArmor", Reach.BOTH),
  SE_LINUX("SELinux", Reach.BOTH),
  PROC_MOUNT("/proc Mount Type", Reach.CONTAINERS),
  SECCOMP("Seccomp", Reach.BOTH),
  SYSCTLS("Sysctls", Reach.POD),
  VOLUME_TYPES("Volume Types", Reach.POD),
  PRIVILEGE_ESCALATION("Privilege Escalation", Reach.CONTAINERS),
  RUN_AS_NON_ROOT("Running as Non-root", Reach.BOTH),
  RUN_AS_USER("Running as Non-root user", Reach.BOTH);

  private final String title;
  private final Reach reach;

  /// What an exclusion from a control may cover: the Pod itself, its containers, which it names by
  /// their images, or both, in separate exclusions.
  enum Reach {
    NOTHING,
    POD,
    CONTAINERS,
    BOTH
  }

  PodControl(String title, Reach reach) {
    this.title = title;
    this.reach = reach;
  }

  String title() {
    return title;
  }

  /// Returns whether the control can be excluded for containers of some images.
  boolean takesImages() {
    return reach == Reach.CONTAINERS || reach == Reach.BOTH;
  }

  /// Returns whether the control can be excluded for the Pod itself.
  boolean takesPods() {
    return reach == Reach.POD || reach == Reach.BOTH;
  }

  static Optional<PodControl> of(String title) {
    return Arrays.stream(values())
        .filter(control -> control.title.equals(title) && control.reach != Reach.NOTHING)
        .findFirst();
  }
}
