package dev.policysync.remote.cluster.lease;

import static java.util.stream.Collectors.joining;

import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.ClusterConnection.Origin;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds the agent's namespace if no setting names it. In a Pod it is the Pod's own namespace. With
/// a kubeconfig, which belongs to its user, it is the namespace of the agent's CronJob or Lease,
/// which have the same names in each installation.
///
/// The namespace of the kubeconfig's context is used only if no agent is found in the cluster. Some
/// tools write `default` into each context, so `default` counts as unset.
public final class AgentNamespaceSearch {
  /// The namespace in which the documentation installs the agent.
  static final String USUAL = "insights-agent";

  private static final String UNSET = "default";

  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private enum Trace {
    CRON_JOB("CronJob", "batch", "cronjobs", "kyverno-policy-sync"),
    LEASE("Lease", "coordination.k8s.io", "leases", LeaseLock.NAME);

    private final String kind;
    private final String group;
    private final String plural;
    private final String name;

    Trace(String kind, String group, String plural, String name) {
      this.kind = kind;
      this.group = group;
      this.plural = plural;
      this.name = name;
    }

    private String resource() {
      return plural + "." + group;
    }
  }

  private final Origin origin;
  private final KubeApi api;
  private final Map<String, Set<Trace>> found = new TreeMap<>();
  private final List<String> unlisted = new ArrayList<>();

  public AgentNamespaceSearch(ClusterConnection connection) {
    this.origin = connection.origin();
    this.api =
        new KubeApi(connection.withTimeBudget(connection.timeBudget().perCall(LeaseApi.PER_CALL)));
  }

  /// Returns the namespace, with an objection if the agent may be in another one.
  public AgentNamespace find() {
    return switch (origin) {
      case Origin.Pod(var namespace) -> new AgentNamespace(namespace, "the Pod's own namespace");
      case Origin.Kubeconfig(_, var namespace) -> {
        var ofContext = namespace.filter(name -> !name.equals(UNSET));
        try {
          yield search(ofContext);
        } catch (ClusterUnavailable e) {
          yield new AgentNamespace(
              ofContext.orElse(USUAL),
              "the API server could not be asked for the agent's Lease",
              Optional.of(e.failure()));
        }
      }
    };
  }

  private AgentNamespace search(Optional<String> ofContext) {
    for (var trace : Trace.values()) {
      if (!list(trace)) {
        unlisted.add(trace.resource());
        var likely = new TreeSet<>(Set.of(USUAL));
        ofContext.ifPresent(likely::add);
        likely.stream().filter(namespace -> exists(trace, namespace)).forEach(at -> add(trace, at));
      }
    }
    return switch (found.size()) {
      case 0 -> nowhere(ofContext);
      case 1 -> {
        var only = found.entrySet().iterator().next();
        yield new AgentNamespace(
            only.getKey(),
            "the agent's "
                + kinds(only.getValue(), " and ")
                + (only.getValue().size() == 1 ? " is" : " are")
                + " there");
      }
      default -> several();
    };
  }

  private AgentNamespace nowhere(Optional<String> ofContext) {
    var nothing =
        unlisted.isEmpty()
            ? "the cluster has no Lease or CronJob of the agent"
            : "no Lease or CronJob of the agent was found, and to list "
                + String.join(" and ", unlisted)
                + " in all namespaces is forbidden";
    if (ofContext.isPresent()) {
      return new AgentNamespace(ofContext.get(), "that of the kubeconfig's context; " + nothing);
    }
    return new AgentNamespace(
        USUAL,
        "the default; " + nothing,
        unlisted.isEmpty()
            ? Optional.empty()
            : objection(nothing + "; add --namespace with the namespace of the agent"));
  }

  private AgentNamespace several() {
    var places =
        found.entrySet().stream()
            .map(place -> place.getKey() + " (" + kinds(place.getValue(), ", ") + ")")
            .collect(joining(", "));
    var likely =
        found.entrySet().stream()
            .filter(place -> place.getValue().contains(Trace.CRON_JOB))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(found.keySet().iterator().next());
    return new AgentNamespace(
        likely,
        "one of several with a Lease or CronJob of the agent: " + places,
        objection(
            "several namespaces have a Lease or CronJob of the agent: "
                + places
                + "; add --namespace with the one in which the agent runs, and delete the Lease "
                + LeaseLock.NAME
                + " in the others"));
  }

  private static Optional<Failure> objection(String reason) {
    return Optional.of(new Failure(Failure.Cause.NOT_FOUND, reason));
  }

  private static String kinds(Set<Trace> traces, String separator) {
    return traces.stream().map(trace -> trace.kind).collect(joining(separator));
  }

  private void add(Trace trace, String namespace) {
    found.computeIfAbsent(namespace, _ -> EnumSet.noneOf(Trace.class)).add(trace);
  }

  /// Searches all namespaces; returns false if that is forbidden.
  private boolean list(Trace trace) {
    var url =
        api.url(List.of("apis", trace.group, "v1", trace.plural))
            .addQueryParameter("fieldSelector", "metadata.name=" + trace.name)
            .build();
    var attempt = "list " + trace.resource() + " in all namespaces";
    var answer = api.get(url, KubeApi.METADATA_LIST);
    if (answer.status() == FORBIDDEN) {
      return false;
    }
    // The API server writes an empty list as null.
    if (!answer.ok() || !answer.body().fields().containsKey("items")) {
      throw unavailable(attempt, answer);
    }
    for (var object : answer.body().mappings("items")) {
      object.mapping("metadata").text("namespace").ifPresent(namespace -> add(trace, namespace));
    }
    return true;
  }

  private boolean exists(Trace trace, String namespace) {
    var path =
        List.of("apis", trace.group, "v1", "namespaces", namespace, trace.plural, trace.name);
    var answer = api.get(api.url(path).build(), KubeApi.METADATA);
    if (!answer.ok() && answer.status() != FORBIDDEN && answer.status() != NOT_FOUND) {
      throw unavailable("read " + trace.kind + " " + namespace + "/" + trace.name, answer);
    }
    return answer.ok();
  }

  private static ClusterUnavailable unavailable(String attempt, ApiResponse answer) {
    return new ClusterUnavailable(
        answer.ok()
            ? new Failure(Failure.Cause.SERVER_ERROR, attempt + ": the answer is not a list")
            : ApiErrorClassifier.classify(attempt, answer));
  }
}
