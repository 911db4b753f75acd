package dev.policysync.convert;

import static dev.policysync.convert.PodFields.all;
import static dev.policysync.convert.PodFields.in;
import static dev.policysync.convert.PodFields.isSet;
import static dev.policysync.convert.PodFields.unset;
import static dev.policysync.convert.PodFields.unsetOr;
import static dev.policysync.convert.PodFields.unsetOrAll;
import static dev.policysync.convert.PodFields.unsetOrIn;
import static dev.policysync.convert.PodFields.value;

import dev.policysync.convert.PodExclusions.Exemption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A check of a control on a Pod.
///
/// Source: `policy/check_*.go` of pod-security-admission, as Kyverno 1.19 forked it. Pods with
/// `hostUsers: false` are judged like others: Kyverno leaves that relaxation switched off.
///
/// @param asks the requirement in words
record PodCheck(PodControl control, String asks, Test test) {
  private static final String CONTEXT = "securityContext";

  /// The types that seccomp and AppArmor profiles may have.
  private static final List<String> PROFILES = List.of("RuntimeDefault", "Localhost");

  private static final List<String> CAPABILITIES =
      List.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");
  private static final List<String> HANDLERS =
      List.of(
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle.postStart",
          "lifecycle.preStop");
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

  /// The types of volumes that level restricted allows.
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

  /// Tests whether a Pod passes, apart from what is exempt.
  interface Test {
    Cel holds(PodVariables pod, Exemption exempt);
  }

  /// Makes a check that judges the Pod and each container separately, so that each can be exempt by
  /// itself.
  ///
  /// @param ofPod makes a test of the Pod
  /// @param ofContainer makes a test of a container, from its name in the expression
  private static PodCheck of(
      PodControl control,
      String asks,
      Function<PodVariables, Cel> ofPod,
      Function<String, Cel> ofContainer) {
    return new PodCheck(
        control,
        asks,
        (pod, exempt) ->
            (exempt.pod() ? Cel.TRUE : ofPod.apply(pod))
                .and(
                    all(
                        pod.containers(),
                        "c",
                        exempt.ofContainer("c").or(ofContainer.apply("c")))));
  }

  private static PodCheck ofPod(PodControl control, String asks, Function<PodVariables, Cel> test) {
    return of(control, asks, test, _ -> Cel.TRUE);
  }

  private static PodCheck ofContainers(
      PodControl control, String asks, Function<String, Cel> test) {
    return of(control, asks, _ -> Cel.TRUE, test);
  }

  /// Makes a check of the Pod's security context and of the containers'.
  ///
  /// @param test makes a test, from the holder of such a context and the path to it
  private static PodCheck ofBoth(
      PodControl control, String asks, BiFunction<String, String, Cel> test) {
    return of(
        control,
        asks,
        pod -> test.apply(pod.pod(), "spec." + CONTEXT),
        container -> test.apply(container, CONTEXT));
  }

  /// Returns the check without the Pods that declare that they are for Windows, where some controls
  /// have no meaning since the release 1.25.
  private PodCheck exceptWindows(int release) {
    return release < 25
        ? this
        : new PodCheck(
            control,
            asks,
            (pod, exempt) ->
                Cel.comparison(value(pod.pod(), "spec.os.name") + " == \"windows\"")
                    .or(test.holds(pod, exempt)));
  }

  /// Returns the checks of level baseline; level restricted has them, too.
  ///
  /// @param release the minor version of the release
  static List<PodCheck> ofBaseline(int release) {
    return List.of(
        ofBoth(
            PodControl.HOST_PROCESS,
            "windowsOptions.hostProcess must not be true",
            (holder, context) -> unsetOr(holder, context + ".windowsOptions.hostProcess", "false")),
        ofPod(
            PodControl.HOST_NAMESPACES,
            "hostNetwork, hostPID and hostIPC must not be true",
            pod ->
                Cel.all(
                    Stream.of("hostNetwork", "hostPID", "hostIPC")
                        .map(field -> unsetOr(pod.pod(), "spec." + field, "false"))
                        .toList())),
        ofContainers(
            PodControl.PRIVILEGED,
            "privileged must not be true",
            container -> unsetOr(container, "securityContext.privileged", "false")),
        ofContainers(
            PodControl.CAPABILITIES,
            "capabilities.add may only have the capabilities of level baseline",
            container ->
                unsetOrAll(
                    container,
                    "securityContext.capabilities.add",
                    "name",
                    in("name", CAPABILITIES))),
        ofPod(
            PodControl.HOST_PATH_VOLUMES,
            "volumes must not be of type hostPath",
            pod -> unsetOrAll(pod.pod(), "spec.volumes", "volume", unset("volume", "hostPath"))),
        ofContainers(
            PodControl.HOST_PORTS,
            "ports must not have a hostPort",
            container -> unsetOrAll(container, "ports", "port", unsetOr("port", "hostPort", "0"))),
        ofContainers(
            PodControl.HOST_PROBES,
            "httpGet and tcpSocket of probes and lifecycle hooks must not have a host",
            PodCheck::hasNoHosts),
        of(
            PodControl.APP_ARMOR,
            "AppArmor profiles must be RuntimeDefault or Localhost",
            pod ->
                isProfile(pod.pod(), "spec.securityContext.appArmorProfile")
                    .and(annotatesAppArmor(pod)),
            container -> isProfile(container, "securityContext.appArmorProfile")),
        ofBoth(
            PodControl.SE_LINUX,
            "seLinuxOptions must not have a user, a role or another type than those of containers",
            (holder, context) -> isSeLinux(holder, context + ".seLinuxOptions", release)),
        ofContainers(
            PodControl.PROC_MOUNT,
            "procMount must be Default",
            container -> unsetOr(container, "securityContext.procMount", "\"Default\"")),
        ofBoth(
            PodControl.SECCOMP,
            "seccomp profiles must be RuntimeDefault or Localhost",
            (holder, context) -> isProfile(holder, context + ".seccompProfile")),
        ofPod(
            PodControl.SYSCTLS,
            "sysctls may only have names that are safe",
            pod ->
                unsetOrAll(
                    pod.pod(),
                    "spec.securityContext.sysctls",
                    "sysctl",
                    in(value("sysctl", "name"), sysctls(release)))));
  }

  /// Returns the checks of level restricted beside those of baseline.
  static List<PodCheck> ofRestricted(int release) {
    return List.of(
        ofPod(
            PodControl.VOLUME_TYPES,
            "volumes must be of a type of level restricted",
            pod -> unsetOrAll(pod.pod(), "spec.volumes", "volume", hasVolumeType())),
        ofContainers(
                PodControl.PRIVILEGE_ESCALATION,
                "allowPrivilegeEscalation must be false",
                container ->
                    Cel.comparison(
                        value(container, "securityContext.allowPrivilegeEscalation") + " == false"))
            .exceptWindows(release),
        new PodCheck(
            PodControl.RUN_AS_NON_ROOT,
            "runAsNonRoot must be true for each container, or for the Pod and false for none",
            PodCheck::runsAsNonRoot),
        ofBoth(
            PodControl.RUN_AS_USER,
            "runAsUser must not be 0",
            (holder, context) -> Cel.comparison(value(holder, context + ".runAsUser") + " != 0")),
        new PodCheck(
                PodControl.SECCOMP,
                "a seccomp profile must be set for each container, or for the Pod",
                PodCheck::hasSeccompProfile)
            .exceptWindows(release),
        ofContainers(
                PodControl.CAPABILITIES,
                "capabilities must drop ALL, and may add NET_BIND_SERVICE only",
                PodCheck::dropsAll)
            .exceptWindows(release));
  }

  /// Tests whether a profile is missing or of an allowed type. A profile without a type fails.
  private static Cel isProfile(String holder, String path) {
    return unset(holder, path).or(in(value(holder, path + ".type"), PROFILES));
  }

  private static Cel hasNoHosts(String container) {
    var handlers =
        HANDLERS.stream()
            .map(path -> container + ".?" + path)
            .collect(Collectors.joining(", ", "[", "]"));
    var hosts = "[handler.?httpGet.host, handler.?tcpSocket.host]";
    var isEmpty =
        Cel.comparison("host.orValue(null) == null").or(Cel.comparison("host.value() == \"\""));
    return all(handlers, "handler", all(hosts, "host", isEmpty));
  }

  /// Tests the AppArmor annotations, which the field replaced.
  private static Cel annotatesAppArmor(PodVariables pod) {
    var annotations = pod.annotations();
    var value = annotations + "[key]";
    var allowed =
        Cel.any(
            List.of(
                Cel.call("key.startsWith(" + Cel.quoted(APP_ARMOR) + ")").not(),
                Cel.comparison(value + " == null"),
                in(value, List.of("", "runtime/default")),
                Cel.call(value + ".startsWith(\"localhost/\")")));
    return Cel.comparison(annotations + " == null").or(all(annotations, "key", allowed));
  }

  private static Cel isSeLinux(String holder, String options, int release) {
    var types = new ArrayList<>(List.of("", "container_t", "container_init_t", "container_kvm_t"));
    if (release >= 31) {
      types.add("container_engine_t");
    }
    return Cel.all(
        List.of(
            unsetOrIn(holder, options + ".type", types),
            unsetOr(holder, options + ".user", "\"\""),
            unsetOr(holder, options + ".role", "\"\"")));
  }

  private static List<String> sysctls(int release) {
    var safe =
        new ArrayList<>(
            List.of(
                "kernel.shm_rmid_forced",
                "net.ipv4.ip_local_port_range",
                "net.ipv4.tcp_syncookies",
                "net.ipv4.ping_group_range",
                "net.ipv4.ip_unprivileged_port_start"));
    if (release >= 27) {
      safe.add("net.ipv4.ip_local_reserved_ports");
    }
    if (release >= 29) {
      safe.addAll(
          List.of(
              "net.ipv4.tcp_keepalive_time",
              "net.ipv4.tcp_fin_timeout",
              "net.ipv4.tcp_keepalive_intvl",
              "net.ipv4.tcp_keepalive_probes"));
    }
    if (release >= 32) {
      safe.addAll(List.of("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"));
    }
    return safe;
  }

  /// Tests whether a volume has an allowed type. A volume that has another type as well passes, and
  /// a volume without any type does not.
  private static Cel hasVolumeType() {
    var types = VOLUMES.stream().map(Cel::quoted).collect(Collectors.joining(", ", "[", "]"));
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

  /// Tests that containers run as another user than root: each container says so, or the Pod does.
  ///
  /// Kyverno applies an exclusion without images to a Pod with one container that does not set the
  /// field. If the Pod does not set it, either, that container violates the control, and Kyverno
  /// removes one violation of the real Pod's `containers` for it. So one of `containers` may
  /// violate the control, but no second one.
  ///
  /// Source: Kyverno 1.19, `exemptExclusions`; `check_runAsNonRoot.go`.
  private static Cel runsAsNonRoot(PodVariables pod, Exemption exempt) {
    var ofPod = "spec.securityContext.runAsNonRoot";
    var ofContainer = "securityContext.runAsNonRoot";
    var podSays = Cel.comparison(value(pod.pod(), ofPod) + " == true");
    var says = Cel.comparison(value("c", ofContainer) + " == true");
    var good = says.or(unset("c", ofContainer).and(podSays));
    if (exempt.pod()) {
      return all(pod.containers(), "c", good).or(podSays.not().and(allButOne(pod, says)));
    }
    return unsetOr(pod.pod(), ofPod, "true")
        .and(all(pod.containers(), "c", exempt.ofContainer("c").or(good)));
  }

  /// Tests that each container has a seccomp profile, or the Pod. Whether the profiles are allowed
  /// is a separate check of baseline.
  ///
  /// Where a profile is bad, Kyverno does not report missing ones. So where exclusions remove the
  /// bad ones, the missing ones pass as well, in whichever containers.
  ///
  /// Source: Kyverno 1.19, `exemptExclusions`; `check_seccompProfile_restricted.go`.
  private static Cel hasSeccompProfile(PodVariables pod, Exemption exempt) {
    var profile = "securityContext.seccompProfile";
    var has = isSet("c", profile);
    var exemptOne = exempt.ofContainer("c");
    var each = exempt.pod() ? allButOne(pod, has) : all(pod.containers(), "c", exemptOne.or(has));
    var bad = isProfile("c", profile).not();
    var hidden =
        exemptOne.equals(Cel.FALSE)
            ? Cel.FALSE
            : Cel.call(pod.containers() + ".exists(c, " + exemptOne.and(bad) + ")");
    return Cel.any(List.of(isSet(pod.pod(), "spec." + profile), each, hidden));
  }

  /// Tests all containers but one of `containers`. To see what an exclusion without images covers,
  /// Kyverno puts a container without a security context into a Pod; its violation removes one of
  /// the real Pod's.
  ///
  /// Source: Kyverno 1.19, `GetPodWithMatchingContainers`.
  private static Cel allButOne(PodVariables pod, Cel ofContainer) {
    return all("(" + pod.otherContainers() + ")", "c", ofContainer)
        .and(
            Cel.comparison(pod.containers() + ".filter(c, " + ofContainer.not() + ").size() <= 1"));
  }
}
