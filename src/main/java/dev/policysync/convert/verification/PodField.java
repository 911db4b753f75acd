package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A field that the Pod Security Standards check, with values that meet a control, violate it, or
/// leave it open. All values have the types of Kubernetes' schema: Kyverno answers with an error
/// for a Pod with other types, wherever in it they are, and an API server does not admit one.
///
/// @param control the control that the field belongs to
/// @param path the path from the Pod or the container
/// @param values the values; an empty one leaves the field out
record PodField(String control, List<String> path, List<Optional<Value>> values) {
  /// The fields of Pods: control, paths and values, one row for each control. A row goes on in
  /// lines that begin with a space. `absent` leaves the field out.
  private static final String OF_PODS =
      """
      Host Namespaces | spec.hostNetwork spec.hostPID spec.hostIPC | true false null
      Privilege Escalation | spec.os | null {'name':'windows'} {'name':'linux'}
      /proc Mount Type | spec.hostUsers | false true
      AppArmor | metadata.annotations | null {} {'a':'unconfined'}
       {'container.apparmor.security.beta.kubernetes.io/c1':'unconfined'}
       {'container.apparmor.security.beta.kubernetes.io/c1':'runtime/default'}
       {'container.apparmor.security.beta.kubernetes.io/c1':'localhost/own'}
       {'container.apparmor.security.beta.kubernetes.io/c1':''}
       {'seccomp.security.alpha.kubernetes.io/pod':'unconfined'}
      Sysctls | spec.securityContext.sysctls | null [] [{}]
       [{'name':'kernel.shm_rmid_forced','value':'1'}]
       [{'name':'net.ipv4.ip_local_reserved_ports','value':'1'}]
       [{'name':'net.ipv4.tcp_fin_timeout','value':'1'}]
       [{'name':'net.ipv4.tcp_rmem','value':'1'}]
       [{'name':'kernel.msgmax','value':'1'}]
       [{'name':'kernel.msgmax','value':'1'},{'name':'kernel.sem','value':'1'}]
      HostPath Volumes | spec.volumes | [{'name':'v','hostPath':{'path':'/etc'}}]
       [{'name':'v','hostPath':null,'emptyDir':{}}]
       [{'name':'v','hostPath':{'path':'/a'}},{'name':'w','hostPath':{'path':'/b'}}]
       [{'name':'v','hostPath':{'path':'/a'},'emptyDir':{}}]
      Volume Types | spec.volumes | null [] [{'name':'v'}] [{'name':'v','emptyDir':null}]
       [{'name':'v','emptyDir':{}},{'name':'w','configMap':{'name':'c'}}]
       [{'name':'v','csi':{'driver':'d'}},{'name':'w','image':{'reference':'i'}}]
       [{'name':'v','secret':{}},{'name':'w','downwardAPI':{}},{'name':'x','projected':{}}]
       [{'name':'v','ephemeral':{}},{'name':'w','persistentVolumeClaim':{'claimName':'c'}}]
       [{'name':'v','emptyDir':{}},{'name':'w','nfs':{'server':'s','path':'/'}}]
       [{'name':'v','gitRepo':{'repository':'r'}}]
      """;

  private static final String OF_CONTAINERS =
      """
      Privileged Containers | securityContext.privileged | true false null
      /proc Mount Type | securityContext.procMount | 'Unmasked' 'Default' null
      Privilege Escalation | securityContext.allowPrivilegeEscalation | true false null absent
      Capabilities | securityContext.capabilities | absent null {} {'drop':null,'add':null}
       {'drop':[],'add':[]} {'drop':['all']} {'drop':['NET_RAW','ALL']} {'drop':['NET_RAW']}
       {'drop':['ALL'],'add':['NET_BIND_SERVICE']}
       {'drop':['ALL'],'add':['NET_BIND_SERVICE','CHOWN']}
       {'drop':['ALL'],'add':['SYS_ADMIN']} {'add':['SYS_ADMIN','CHOWN']}
      Host Ports | ports | null [] [{'containerPort':80}] [{'containerPort':80,'hostPort':0}]
       [{'containerPort':80,'hostPort':null}] [{'containerPort':80,'hostPort':8080}]
       [{'containerPort':80,'hostPort':8080},{'containerPort':81,'hostPort':8081}]
      Host Probes / Lifecycle Hooks | livenessProbe readinessProbe startupProbe lifecycle.postStart
       lifecycle.preStop | null {'httpGet':{'host':'own.example','port':80}}
       {'httpGet':{'host':'','port':80}} {'httpGet':{'host':null,'port':80},'tcpSocket':null}
       {'tcpSocket':{'host':'10.0.0.1','port':80}} {'tcpSocket':{'port':80}}
       {'exec':{'command':['true']}}
      """;

  /// The fields that Pods and containers have in common.
  private static final String OF_CONTEXT =
      """
      Running as Non-root | securityContext | absent null {}
      Running as Non-root | securityContext.runAsNonRoot | true false null absent
      Running as Non-root user | securityContext.runAsUser | 0 1000 null
      Seccomp | securityContext.seccompProfile | absent null {} {'type':'RuntimeDefault'}
       {'type':'Localhost','localhostProfile':'own'} {'type':'Unconfined'}
      AppArmor | securityContext.appArmorProfile | null {} {'type':'RuntimeDefault'}
       {'type':'Localhost','localhostProfile':'own'} {'type':'Unconfined'}
      SELinux | securityContext.seLinuxOptions | null {}
       {'type':'container_t','user':'','role':null} {'type':'container_engine_t'}
       {'type':'spc_t'} {'user':'system_u'} {'role':'object_r'}
      HostProcess | securityContext.windowsOptions | null {} {'hostProcess':true}
       {'hostProcess':false} {'hostProcess':null}
      """;

  PodField {
    path = List.copyOf(path);
    values = List.copyOf(values);
  }

  static List<PodField> ofPods() {
    return Stream.concat(read(OF_PODS, ""), read(OF_CONTEXT, "spec.")).toList();
  }

  static List<PodField> ofContainers() {
    return Stream.concat(read(OF_CONTAINERS, ""), read(OF_CONTEXT, "")).toList();
  }

  /// @param parent the beginning of each path
  private static Stream<PodField> read(String rows, String parent) {
    return Stream.of(rows.split("\n(?! )", -1))
        .filter(row -> !row.isEmpty())
        .map(row -> row.split(" \\| ", 3))
        .flatMap(row -> {
          var values = Stream.of(row[2].split("\\s+", -1)).map(PodField::value).toList();
          return Stream.of(row[1].split("\\s+", -1))
              .map(path -> new PodField(row[0], List.of((parent + path).split("\\.")), values));
        });
  }

  private static Optional<Value> value(String written) {
    return written.equals("absent") ? Optional.empty() : Optional.of(parsed(written));
  }

  /// Parses JSON whose texts may stand in single quotes.
  static Value parsed(String json) {
    try {
      return Json.parse(json.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }
}
