package dev.policysync.check;

import dev.policysync.check.Cluster.Kinds;
import dev.policysync.check.Cluster.LeaseState;
import dev.policysync.check.Cluster.Server;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Whether the API server answers, serves our kinds, and has a Lease that runs can take.
public final class ClusterQuestions {
  static final String SERVER = "API server";
  static final String CLOCK = "API server clock";
  static final String KINDS = "kinds";
  static final String LEASE = "Lease";

  /// The first minor version of Kubernetes 1 that answers aggregated discovery by itself.
  private static final int OLDEST = 27;

  private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\..*");

  /// Up to here a Lease that was left behind is taken over at once
  /// (`docs/decisions/0006-when-a-lease-is-over.md`).
  private static final Duration SKEW = Duration.ofSeconds(5);

  /// What holds for longer than any run takes is held for good.
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Cluster cluster;

  public ClusterQuestions(Cluster cluster) {
    this.cluster = cluster;
  }

  /// The questions, in order.
  public List<Question> all() {
    return List.of(
        Question.of(SERVER, this::server),
        Question.of(KINDS, this::kinds).after(SERVER),
        Question.of(LEASE, this::lease).after(SERVER));
  }

  private List<Answer> server() {
    return switch (cluster.server()) {
      case Reply.Got<Server>(var server) -> judge(server);
      case Reply.Absent<Server>() ->
          List.of(
              Answer.failure(
                  SERVER, "what answers is no API server", "check the kubeconfig's server"));
      case Reply.Forbidden<Server>(var reason) -> List.of(Answer.failure(SERVER, reason));
      case Reply.Failed<Server>(var reason) -> List.of(Answer.failure(SERVER, reason));
    };
  }

  private static List<Answer> judge(Server server) {
    var answers = new ArrayList<Answer>();
    var found = "Kubernetes " + server.version() + " at " + server.url();
    var version = VERSION.matcher(server.version());
    answers.add(
        version.matches() && Integer.parseInt(version.group(1)) < OLDEST
            ? Answer.failure(
                SERVER, found, "Kubernetes 1." + OLDEST + " or newer is needed: upgrade it")
            : Answer.ok(SERVER, found));
    server
        .ahead()
        .ifPresent(ahead ->
            answers.add(
                Skew.judge(
                    CLOCK,
                    "the API server's",
                    ahead,
                    SKEW,
                    "set this machine's clock by NTP: a Lease that a killed run left behind is taken"
                        + " over later than it could be")));
    return answers;
  }

  private List<Answer> kinds() {
    return switch (cluster.kinds()) {
      case Reply.Got<Kinds>(var kinds) -> judge(kinds);
      case Reply.Absent<Kinds>() ->
          List.of(Answer.failure(KINDS, "the API server has no discovery", "check what answers"));
      case Reply.Forbidden<Kinds>(var reason) -> List.of(Answer.failure(KINDS, reason));
      case Reply.Failed<Kinds>(var reason) -> List.of(Answer.failure(KINDS, reason));
    };
  }

  private static List<Answer> judge(Kinds kinds) {
    var answers = new ArrayList<Answer>();
    new TreeMap<>(kinds.uncertain())
        .forEach((kind, reason) ->
            answers.add(
                Answer.failure(
                    KINDS,
                    kind.qualified() + ": " + reason,
                    "kubectl get --raw /apis shows it; while it lasts, nothing is removed")));
    if (kinds.versions().keySet().stream().noneMatch(ClusterQuestions::isKyvernos)) {
      answers.add(
          Answer.failure(
              KINDS,
              "none of Kyverno's kinds is served" + alsoServed(kinds.versions()),
              "install Kyverno with its CRDs, or select the cluster that has it"));
      return answers;
    }
    var missing = new TreeSet<>(kinds.missing().keySet());
    answers.add(
        Answer.ok(
            KINDS,
            kinds.versions().size()
                + " of "
                + PolicyKind.all().size()
                + " kinds are served: "
                + byVersion(kinds.versions())
                + (missing.isEmpty()
                    ? ""
                    : "; not "
                        + missing
                        + ", which only newer versions of Kyverno or Kubernetes have")));
    return answers;
  }

  private static boolean isKyvernos(PolicyKind kind) {
    return kind.group().endsWith("kyverno.io");
  }

  private static String alsoServed(Map<PolicyKind, String> versions) {
    return versions.isEmpty() ? "" : ", only " + byVersion(versions);
  }

  /// `kyverno.io v1 v2, policies.kyverno.io v1`.
  private static String byVersion(Map<PolicyKind, String> served) {
    var versions = new TreeMap<String, TreeSet<String>>();
    served.forEach((kind, version) ->
        versions.computeIfAbsent(kind.group(), _ -> new TreeSet<>()).add(version));
    var groups = new ArrayList<String>();
    versions.forEach((group, all) -> groups.add(group + " " + String.join(" ", all)));
    return String.join(", ", groups);
  }

  private List<Answer> lease() {
    return List.of(
        switch (cluster.lease()) {
          case Reply.Got<LeaseState>(var lease) -> judge(lease);
          case Reply.Absent<LeaseState>() ->
              Answer.ok(
                  LEASE, "there is none yet; the first run that has something to write makes it");
          case Reply.Forbidden<LeaseState>(var reason) -> Answer.failure(LEASE, reason);
          case Reply.Failed<LeaseState>(var reason) -> Answer.failure(LEASE, reason);
        });
  }

  private static Answer judge(LeaseState lease) {
    if (lease.holder().isEmpty()) {
      return Answer.ok(LEASE, lease.name() + " is free");
    }
    var held = lease.name() + " is held by " + lease.holder();
    var duration = lease.duration().orElse(Duration.ZERO);
    if (duration.compareTo(LONGEST) > 0) {
      return Answer.failure(
          LEASE,
          held + " for " + duration.toSeconds() + " s, longer than any run takes",
          "if that holder is gone: " + lease.howToFree());
    }
    if (lease.silence().isEmpty()) {
      return Answer.warning(
          LEASE,
          held + ", and does not say since when",
          "if that holder is gone, the next run takes it over after having watched it: nothing to do");
    }
    var silence = lease.silence().get();
    if (silence.compareTo(duration) > 0) {
      return Answer.warning(
          LEASE,
          held
              + ", which has not renewed it for "
              + silence.toSeconds()
              + " s, although it holds for "
              + duration.toSeconds()
              + " s only",
          "a run was killed; the next one takes it over by itself. Why it was killed:"
              + " kubectl describe pod, OOMKilled or evicted?");
    }
    return Answer.ok(
        LEASE, held + ", a run at work, renewed " + Math.max(0, silence.toSeconds()) + " s ago");
  }
}
