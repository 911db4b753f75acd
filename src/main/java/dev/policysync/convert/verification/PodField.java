package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A field that the Pod Security Standards check, with values that meet a control, violate it, or
/// leave it open. All values have the types of Kubernetes' schema: Kyverno answers with an error
/// for a Pod with other types, wherever in it they are, and an API server does not admit one.
///
/// @param control the control that the field belongs to
/// @param path the path from the Pod or the container
/// @param values the values; an empty one leaves the field out
record PodField(String control, List<String> path, List<Optional<Value>> values) {
  PodField {
    path = List.copyOf(path);
    values = List.copyOf(values);
  }

  static List<PodField> ofPods() {
    var fields = new ArrayList<PodField>();
    for (var namespace : List.of("hostNetwork", "hostPID", "hostIPC")) {
      fields.add(of("Host Namespaces", "spec." + namespace, "true", "false", "null"));
    }
    fields.add(
        of("Privilege Escalation", "spec.os", "null", "{'name':'windows'}", "{'name':'linux'}"));
    fields.add(of("/proc Mount Type", "spec.hostUsers", "false", "true"));
    fields.add(
        of(
            "AppArmor",
            "metadata.annotations",
            "null",
            "{}",
            "{'a':'unconfined'}",
            "{'container.apparmor.security.beta.kubernetes.io/c1':'unconfined'}",
            "{'container.apparmor.security.beta.kubernetes.io/c1':'runtime/default'}",
            "{'container.apparmor.security.beta.kubernetes.io/c1':'localhost/own'}",
            "{'container.apparmor.security.beta.kubernetes.io/c1':''}",
            "{'seccomp.security.alpha.kubernetes.io/pod':'unconfined'}"));
    fields.add(
        of(
            "Sysctls",
            "spec.securityContext.sysctls",
            "null",
            "[]",
            "[{}]",
            "[{'name':'kernel.shm_rmid_forced','value':'1'}]",
            "[{'name':'net.ipv4.ip_local_reserved_ports','value':'1'}]",
            "[{'name':'net.ipv4.tcp_fin_timeout','value':'1'}]",
            "[{'name':'net.ipv4.tcp_rmem','value':'1'}]",
            "[{'name':'kernel.msgmax','value':'1'}]",
            "[{'name':'kernel.msgmax','value':'1'},{'name':'kernel.sem','value':'1'}]"));
    fields.add(
        of(
            "HostPath Volumes",
            "spec.volumes",
            "[{'name':'v','hostPath':{'path':'/etc'}}]",
            "[{'name':'v','hostPath':null,'emptyDir':{}}]",
            "[{'name':'v','hostPath':{'path':'/a'}},{'name':'w','hostPath':{'path':'/b'}}]",
            "[{'name':'v','hostPath':{'path':'/a'},'emptyDir':{}}]"));
    fields.add(
        of(
            "Volume Types",
            "spec.volumes",
            "null",
            "[]",
            "[{'name':'v'}]",
            "[{'name':'v','emptyDir':null}]",
            "[{'name':'v','emptyDir':{}},{'name':'w','configMap':{'name':'c'}}]",
            "[{'name':'v','csi':{'driver':'d'}},{'name':'w','image':{'reference':'i'}}]",
            "[{'name':'v','secret':{}},{'name':'w','downwardAPI':{}},{'name':'x','projected':{}}]",
            "[{'name':'v','ephemeral':{}},{'name':'w','persistentVolumeClaim':{'claimName':'c'}}]",
            "[{'name':'v','emptyDir':{}},{'name':'w','nfs':{'server':'s','path':'/'}}]",
            "[{'name':'v','gitRepo':{'repository':'r'}}]"));
    ofContext().forEach(field -> fields.add(field.within("spec")));
    return fields;
  }

  static List<PodField> ofContainers() {
    var fields = new ArrayList<PodField>();
    var context = "securityContext.";
    fields.add(of("Privileged Containers", context + "privileged", "true", "false", "null"));
    fields.add(of("/proc Mount Type", context + "procMount", "'Unmasked'", "'Default'", "null"));
    fields.add(
        of(
            "Privilege Escalation",
            context + "allowPrivilegeEscalation",
            "true",
            "false",
            "null",
            ""));
    fields.add(
        of(
            "Capabilities",
            context + "capabilities",
            "",
            "null",
            "{}",
            "{'drop':null,'add':null}",
            "{'drop':[],'add':[]}",
            "{'drop':['all']}",
            "{'drop':['NET_RAW','ALL']}",
            "{'drop':['NET_RAW']}",
            "{'drop':['ALL'],'add':['NET_BIND_SERVICE']}",
            "{'drop':['ALL'],'add':['NET_BIND_SERVICE','CHOWN']}",
            "{'drop':['ALL'],'add':['SYS_ADMIN']}",
            "{'add':['SYS_ADMIN','CHOWN']}"));
    fields.add(
        of(
            "Host Ports",
            "ports",
            "null",
            "[]",
            "[{'containerPort':80}]",
            "[{'containerPort':80,'hostPort':0}]",
            "[{'containerPort':80,'hostPort':null}]",
            "[{'containerPort':80,'hostPort':8080}]",
            "[{'containerPort':80,'hostPort':8080},{'containerPort':81,'hostPort':8081}]"));
    for (var handler :
        List.of(
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle.postStart",
            "lifecycle.preStop")) {
      fields.add(
          of(
              "",
              handler,
              "null",
              "{'httpGet':{'host':'own.example','port':80}}",
              "{'httpGet':{'host':'','port':80}}",
              "{'httpGet':{'host':null,'port':80},'tcpSocket':null}",
              "{'tcpSocket':{'host':'10.0.0.1','port':80}}",
              "{'tcpSocket':{'port':80}}",
              "{'exec':{'command':['true']}}"));
    }
    fields.addAll(ofContext());
    return fields;
  }

  /// Returns the fields that Pods and containers have in common.
  private static List<PodField> ofContext() {
    var context = "securityContext";
    return List.of(
        of("Running as Non-root", context, "", "null", "{}"),
        of("Running as Non-root", context + ".runAsNonRoot", "true", "false", "null", ""),
        of("Running as Non-root user", context + ".runAsUser", "0", "1000", "null"),
        of(
            "Seccomp",
            context + ".seccompProfile",
            "",
            "null",
            "{}",
            "{'type':'RuntimeDefault'}",
            "{'type':'Localhost','localhostProfile':'own'}",
            "{'type':'Unconfined'}"),
        of(
            "AppArmor",
            context + ".appArmorProfile",
            "null",
            "{}",
            "{'type':'RuntimeDefault'}",
            "{'type':'Localhost','localhostProfile':'own'}",
            "{'type':'Unconfined'}"),
        of(
            "SELinux",
            context + ".seLinuxOptions",
            "null",
            "{}",
            "{'type':'container_t','user':'','role':null}",
            "{'type':'container_engine_t'}",
            "{'type':'spc_t'}",
            "{'user':'system_u'}",
            "{'role':'object_r'}"),
        of(
            "HostProcess",
            context + ".windowsOptions",
            "null",
            "{}",
            "{'hostProcess':true}",
            "{'hostProcess':false}",
            "{'hostProcess':null}"));
  }

  private PodField within(String parent) {
    var whole = new ArrayList<>(List.of(parent));
    whole.addAll(path);
    return new PodField(control, whole, values);
  }

  private static PodField of(String control, String path, String... values) {
    return new PodField(
        control,
        List.of(path.split("\\.")),
        List.of(values).stream()
            .map(text -> Optional.of(text).filter(json -> !json.isEmpty()).map(PodField::parsed))
            .toList());
  }

  private static Value parsed(String json) {
    try {
      return Json.parse(json.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }
}
