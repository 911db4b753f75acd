package dev.policysync.remote.cluster;

import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

/// Finds the cluster to connect to: the configured kubeconfig, otherwise the Pod's own
/// ServiceAccount, otherwise the kubeconfig in the home directory.
///
/// In a Pod, only the ServiceAccount's files are read. The Kubernetes client, which reads
/// kubeconfigs, is loaded only if there is a kubeconfig.
public final class ClusterAccess {
  /// The system property for another mount path of the ServiceAccount, for tests and unusual Pods.
  public static final String MOUNT_PROPERTY = "policysync.serviceaccount";

  private final Map<String, String> environment;
  private final Optional<String> kubeconfig;
  private final Optional<String> context;
  private final Optional<String> impersonated;
  private final boolean terminal;

  /// Access with the user's settings.
  ///
  /// @param kubeconfig a path, or several as in `KUBECONFIG`
  /// @param context a context of that kubeconfig; its current context if empty
  public ClusterAccess(
      Map<String, String> environment, Optional<String> kubeconfig, Optional<String> context) {
    this(environment, kubeconfig, context, Optional.empty(), false);
  }

  private ClusterAccess(
      Map<String, String> environment,
      Optional<String> kubeconfig,
      Optional<String> context,
      Optional<String> impersonated,
      boolean terminal) {
    this.environment = Map.copyOf(environment);
    this.kubeconfig = kubeconfig;
    this.context = context;
    this.impersonated = impersonated;
    this.terminal = terminal;
  }

  /// Returns access that impersonates another user; the kubeconfig's user needs the right to do so.
  ///
  /// @param user replaces the user that the kubeconfig itself impersonates; empty keeps that one
  public ClusterAccess impersonating(Optional<String> user) {
    return new ClusterAccess(environment, kubeconfig, context, user, terminal);
  }

  /// Returns access in which a credential plugin may ask the user at the terminal to log in.
  ///
  /// @param atTerminal whether standard input is a terminal
  public ClusterAccess withTerminal(boolean atTerminal) {
    return new ClusterAccess(environment, kubeconfig, context, impersonated, atTerminal);
  }

  /// Prepares a connection; nothing is sent yet.
  ///
  /// @throws IllegalArgumentException if no cluster is configured; the message lists where it was
  ///   searched for
  public ClusterConnection connect() {
    var account =
        new ServiceAccount(
            Path.of(System.getProperty(MOUNT_PROPERTY, ServiceAccount.MOUNT.toString())));
    if (kubeconfig.isPresent()) {
      return byKubeconfig(kubeconfig.get());
    }
    if (context.isEmpty() && account.present()) {
      if (impersonated.isPresent()) {
        throw new IllegalArgumentException(
            "--as requires a kubeconfig; in a pod policy-sync is the pod's ServiceAccount");
      }
      return inCluster(account);
    }
    var home = homeKubeconfig();
    if (home.toFile().isFile()) {
      return byKubeconfig(home.toString());
    }
    throw new IllegalArgumentException(
        "no cluster configured: not running in a pod with a ServiceAccount, KUBECONFIG and"
            + " --kubeconfig are not set, and the default kubeconfig does not exist: "
            + home);
  }

  private Path homeKubeconfig() {
    try {
      return Path.of(environment.getOrDefault("HOME", ""), ".kube", "config");
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("HOME is not a valid path", e);
    }
  }

  private ClusterConnection byKubeconfig(String paths) {
    try {
      var chosen = Kubeconfig.read(paths).context(context);
      try {
        var impersonation =
            impersonated
                .map(Impersonation::of)
                .orElseGet(() -> Impersonation.of(chosen.user().fields()));
        return new KubeconfigConnector(environment, terminal).connect(chosen, impersonation);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the kubeconfig " + paths + " cannot be used: " + e.getMessage(), e);
      }
    } catch (NoClassDefFoundError e) {
      // The image for Pods does not contain the Kubernetes client, which is a third of the whole
      // program.
      throw new IllegalArgumentException(
          "this build of policy-sync supports no kubeconfig, only the ServiceAccount of a Pod;"
              + " use the distribution from make build",
          e);
    }
  }

  private ClusterConnection inCluster(ServiceAccount account) {
    var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host.isEmpty()) {
      throw new IllegalArgumentException(
          "the pod has a ServiceAccount, but KUBERNETES_SERVICE_HOST is not set");
    }
    var url = apiServer(host, port);
    var connections =
        Connections.tls(Trust.only(account.certificateAuthority()), ProxyRules.none());
    var http = connections.client().newBuilder().addInterceptor(account.token()).build();
    return new ClusterConnection(url, http, account.namespace(), connections::close);
  }

  private static HttpUrl apiServer(String host, String port) {
    try {
      return new HttpUrl.Builder().scheme("https").host(host).port(Integer.parseInt(port)).build();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not a valid host and port; in"
              + " a pod the kubelet sets both",
          e);
    }
  }
}
