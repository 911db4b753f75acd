package dev.policysync.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A stand-in for an API server with any number of reports, which it writes while it answers: one
/// per resource, as Kyverno does since 1.11.
///
/// In each namespace of a hundred resources there are Deployments with three Pods each. Of a
/// report's results the first fails for every second Deployment and its Pods, the rest pass.
public final class ManyReports implements AutoCloseable {
  private static final String DISCOVERY =
      """
      {"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[
        {"metadata":{"name":"wgpolicyk8s.io"},"versions":[{"version":"v1alpha2","freshness":"Current",
          "resources":[{"resource":"policyreports","scope":"Namespaced",
            "responseKind":{"group":"","version":"","kind":"PolicyReport"}}]}]}]}
      """;

  private static final int TO_A_NAMESPACE = 100;
  private static final int TO_A_DEPLOYMENT = 4;

  private final TestAuthority authority = TestAuthority.shared();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpsServer server;
  private final int reports;
  private final int results;

  /// @param reports how many there are
  /// @param results in each of them
  public ManyReports(int reports, int results) throws IOException {
    this.reports = reports;
    this.results = results;
    server = LoopbackHttps.create(authority);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, 404, ""));
    server.createContext("/apis", this::apis);
    server.start();
  }

  /// How many findings there are: one for every second Deployment, its Pods counted with it.
  public int findings() {
    return reports / TO_A_DEPLOYMENT / 2;
  }

  /// How many results there are when those of Pods are counted with their Deployment's.
  public int counted() {
    return reports / TO_A_DEPLOYMENT * results;
  }

  /// One of them, in a form that an API server creates.
  ///
  /// @param number from 0
  public String toCreate(int number) {
    var report = new StringBuilder();
    report(report, number);
    return report
        .toString()
        .replaceFirst("\"managedFields\":\\[.*?\"manager\".*?}],", "")
        .replace("\"resourceVersion\":\"812\",", "");
  }

  /// Writes the files that a pod finds about this API server.
  public void writeServiceAccount(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.copy(authority.pem(), folder.resolve("ca.crt"));
    Files.writeString(folder.resolve("namespace"), "policy-sync");
    Files.writeString(folder.resolve("token"), "token");
  }

  /// The variables that a pod finds about it.
  public Map<String, String> environment() {
    return Map.of(
        "KUBERNETES_SERVICE_HOST",
        "127.0.0.1",
        "KUBERNETES_SERVICE_PORT",
        Integer.toString(server.getAddress().getPort()));
  }

  private void apis(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    switch (path) {
      case "/apis" -> answer(exchange, 200, DISCOVERY);
      case "/apis/wgpolicyk8s.io/v1alpha2/policyreports" ->
          answer(exchange, 200, page(exchange.getRequestURI().getQuery()));
      default -> answer(exchange, 404, "{\"kind\":\"Status\",\"reason\":\"NotFound\"}");
    }
  }

  private String page(String query) {
    var limit = number(query, "limit=");
    var from = number(query, "continue=");
    var end = Math.min(reports, from + limit);
    var page =
        new StringBuilder(
            "{\"apiVersion\":\"wgpolicyk8s.io/v1alpha2\",\"kind\":\"PolicyReportList\",\"metadata\":{");
    if (end < reports) {
      page.append("\"continue\":\"").append(end).append("\",");
    }
    page.append("\"resourceVersion\":\"1\"},\"items\":[");
    for (var i = from; i < end; i++) {
      report(page, i);
      page.append(i == end - 1 ? "" : ",");
    }
    return page.append("]}").toString();
  }

  private void report(StringBuilder page, int number) {
    var namespace = "team-" + number / TO_A_NAMESPACE;
    var deployment = number / TO_A_DEPLOYMENT;
    var uid = "%08x-0000-4000-8000-000000000000".formatted(number);
    var pod = number % TO_A_DEPLOYMENT != 0;
    var name = "app-" + deployment + (pod ? "-7d9f8c6b5-x2k4" + number % TO_A_DEPLOYMENT : "");
    page.append(
        """
        {"apiVersion":"wgpolicyk8s.io/v1alpha2","kind":"PolicyReport","metadata":{\
        "creationTimestamp":"2026-11-20T09:30:00Z","generation":3,"labels":{\
        "app.kubernetes.io/managed-by":"kyverno"},"managedFields":[{"apiVersion":\
        "wgpolicyk8s.io/v1alpha2","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},\
        "f:app.kubernetes.io/managed-by":{}},"f:ownerReferences":{".":{},"k:{\\"uid\\":\\"%2$s\\"}":{}}},\
        "f:results":{},"f:scope":{},"f:summary":{".":{},"f:error":{},"f:fail":{},"f:pass":{},"f:skip":{},\
        "f:warn":{}}},"manager":"reports-controller","operation":"Update","time":"2026-11-20T09:30:00Z"}],\
        "name":"%2$s","namespace":"%1$s","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"%3$s",\
        "uid":"%2$s"}],"resourceVersion":"812","uid":"%2$s"},"results":[\
        """
            .formatted(namespace, uid, name));
    for (var i = 0; i < results; i++) {
      result(page, i, i == 0 && deployment % 2 == 0, pod);
      page.append(i == results - 1 ? "" : ",");
    }
    page.append("],\"scope\":{\"apiVersion\":\"")
        .append(pod ? "v1" : "apps/v1")
        .append("\",\"kind\":\"")
        .append(pod ? "Pod" : "Deployment")
        .append("\",\"name\":\"")
        .append(name)
        .append("\",\"namespace\":\"")
        .append(namespace)
        .append("\",\"uid\":\"")
        .append(uid)
        .append("\"},\"summary\":{\"error\":0,\"fail\":1,\"pass\":5,\"skip\":0,\"warn\":0}}");
  }

  private static void result(StringBuilder page, int number, boolean fails, boolean pod) {
    page.append("{\"category\":\"Pod Security Standards (Restricted)\",\"message\":\"validation ")
        .append(fails ? "error: Running as root is not allowed. rule " : "rule '")
        .append("run-as-non-root-")
        .append(number)
        .append(fails ? " failed at path /spec/containers/0/securityContext/" : "' passed.")
        .append("\",\"policy\":\"restricted-")
        .append(number)
        .append(
            "\",\"properties\":{\"controls\":\"runAsNonRoot\",\"process\":\"background scan\"},\"result\":\"")
        .append(fails ? "fail" : "pass")
        .append("\",\"rule\":\"")
        .append(pod ? "" : "autogen-")
        .append("run-as-non-root\",\"scored\":true,\"severity\":\"medium\",\"source\":\"kyverno\",")
        .append("\"timestamp\":{\"nanos\":0,\"seconds\":1795170000}}");
  }

  private static int number(String query, String name) {
    var at = query == null ? -1 : query.indexOf(name);
    if (at < 0) {
      return 0;
    }
    var end = query.indexOf('&', at);
    var text = query.substring(at + name.length(), end < 0 ? query.length() : end);
    return Integer.parseInt(text);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      var bytes = body.getBytes(UTF_8);
      exchange.getResponseHeaders().put("Content-Type", List.of("application/json"));
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
