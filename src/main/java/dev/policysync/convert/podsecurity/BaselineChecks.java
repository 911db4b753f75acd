package dev.policysync.convert.podsecurity;

import static dev.policysync.convert.podsecurity.Fields.all;
import static dev.policysync.convert.podsecurity.Fields.in;
import static dev.policysync.convert.podsecurity.Fields.unset;
import static dev.policysync.convert.podsecurity.Fields.unsetOr;
import static dev.policysync.convert.podsecurity.Fields.unsetOrAll;
import static dev.policysync.convert.podsecurity.Fields.unsetOrIn;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.podsecurity.Check.Plain;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The checks of level baseline; level restricted has them, too.
///
/// Source: `policy/check_*.go` of pod-security-admission, as Kyverno 1.19 forked it. Pods with
/// `hostUsers: false` are judged like others: Kyverno leaves that relaxation switched off.
final class BaselineChecks {
  /// The types that seccomp and AppArmor profiles may have.
  static final List<String> PROFILES = List.of("RuntimeDefault", "Localhost");

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

  private BaselineChecks() {}

  static List<Check> of(Release release) {
    return List.of(
        Plain.ofBoth(
            Control.HOST_PROCESS,
            "windowsOptions.hostProcess must not be true",
            (holder, context) -> unsetOr(holder, context + ".windowsOptions.hostProcess", "false")),
        Plain.ofPod(
            Control.HOST_NAMESPACES,
            "hostNetwork, hostPID and hostIPC must not be true",
            pod ->
                Cel.all(
                    Stream.of("hostNetwork", "hostPID", "hostIPC")
                        .map(field -> unsetOr(pod.pod(), "spec." + field, "false"))
                        .toList())),
        Plain.ofContainers(
            Control.PRIVILEGED,
            "privileged must not be true",
            container -> unsetOr(container, "securityContext.privileged", "false")),
        Plain.ofContainers(
            Control.CAPABILITIES,
            "capabilities.add may only have the capabilities of level baseline",
            container ->
                unsetOrAll(
                    container,
                    "securityContext.capabilities.add",
                    "name",
                    in("name", CAPABILITIES))),
        Plain.ofPod(
            Control.HOST_PATH_VOLUMES,
            "volumes must not be of type hostPath",
            pod -> unsetOrAll(pod.pod(), "spec.volumes", "volume", unset("volume", "hostPath"))),
        Plain.ofContainers(
            Control.HOST_PORTS,
            "ports must not have a hostPort",
            container -> unsetOrAll(container, "ports", "port", unsetOr("port", "hostPort", "0"))),
        Plain.ofContainers(
            Control.HOST_PROBES,
            "httpGet and tcpSocket of probes and lifecycle hooks must not have a host",
            BaselineChecks::hasNoHosts),
        Plain.ofBoth(
                Control.APP_ARMOR,
                "AppArmor profiles must be RuntimeDefault or Localhost",
                (holder, context) -> isProfile(holder, context + ".appArmorProfile"))
            .andOfPod(BaselineChecks::annotatesAppArmor),
        Plain.ofBoth(
            Control.SE_LINUX,
            "seLinuxOptions must not have a user, a role or another type than those of containers",
            (holder, context) -> isSeLinux(holder, context + ".seLinuxOptions", release)),
        Plain.ofContainers(
            Control.PROC_MOUNT,
            "procMount must be Default",
            container -> unsetOr(container, "securityContext.procMount", "\"Default\"")),
        Plain.ofBoth(
            Control.SECCOMP,
            "seccomp profiles must be RuntimeDefault or Localhost",
            (holder, context) -> isProfile(holder, context + ".seccompProfile")),
        Plain.ofPod(
            Control.SYSCTLS,
            "sysctls may only have names that are safe",
            pod ->
                unsetOrAll(
                    pod.pod(),
                    "spec.securityContext.sysctls",
                    "sysctl",
                    in(Fields.value("sysctl", "name"), sysctls(release)))));
  }

  /// Tests whether a profile is missing or of an allowed type. A profile without a type fails.
  static Cel isProfile(String holder, String path) {
    return unset(holder, path).or(in(Fields.value(holder, path + ".type"), PROFILES));
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
  private static Cel annotatesAppArmor(PodPlaces pod) {
    var annotations = pod.annotations();
    var value = annotations + "[key]";
    var allowed =
        Cel.any(
            List.of(
                Cel.call("key.startsWith(" + Quoted.text(APP_ARMOR) + ")").not(),
                Cel.comparison(value + " == null"),
                in(value, List.of("", "runtime/default")),
                Cel.call(value + ".startsWith(\"localhost/\")")));
    return Cel.comparison(annotations + " == null").or(all(annotations, "key", allowed));
  }

  private static Cel isSeLinux(String holder, String options, Release release) {
    var types = new ArrayList<>(List.of("", "container_t", "container_init_t", "container_kvm_t"));
    if (release.isAtLeast(31)) {
      types.add("container_engine_t");
    }
    return Cel.all(
        List.of(
            unsetOrIn(holder, options + ".type", types),
            unsetOr(holder, options + ".user", "\"\""),
            unsetOr(holder, options + ".role", "\"\"")));
  }

  private static List<String> sysctls(Release release) {
    var safe =
        new ArrayList<>(
            List.of(
                "kernel.shm_rmid_forced",
                "net.ipv4.ip_local_port_range",
                "net.ipv4.tcp_syncookies",
                "net.ipv4.ping_group_range",
                "net.ipv4.ip_unprivileged_port_start"));
    if (release.isAtLeast(27)) {
      safe.add("net.ipv4.ip_local_reserved_ports");
    }
    if (release.isAtLeast(29)) {
      safe.addAll(
          List.of(
              "net.ipv4.tcp_keepalive_time",
              "net.ipv4.tcp_fin_timeout",
              "net.ipv4.tcp_keepalive_intvl",
              "net.ipv4.tcp_keepalive_probes"));
    }
    if (release.isAtLeast(32)) {
      safe.addAll(List.of("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"));
    }
    return safe;
  }
}
