package dev.policysync.check;

import dev.policysync.check.Cluster.Kinds;
import dev.policysync.check.Cluster.Kyverno;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether Kyverno is there and judges what a run would write. What a run does not need to know may
/// be forbidden to us, and then cannot be asked.
public final class KyvernoQuestions {
  static final String KYVERNO = "Kyverno";
  static final String WEBHOOKS = "Kyverno's webhooks";
  static final String HEALTH = "Kyverno's health";
  static final String DRY_RUN = "dry run";

  /// By which Kyverno judges policies, and what else we write; the first is always there (Kyverno
  /// 1.19.0, `pkg/config`).
  private static final List<String> CONFIGURATIONS =
      List.of(
          "kyverno-policy-validating-webhook-cfg",
          "kyverno-exception-validating-webhook-cfg",
          "kyverno-cel-exception-validating-webhook-cfg",
          "kyverno-global-context-validating-webhook-cfg",
          "kyverno-cleanup-validating-webhook-cfg");

  /// Kyverno notes every 10 s (30 s in older versions) that its webhooks are called, and takes 150
  /// s of silence for a failure of its own.
  private static final Duration SILENCE = Duration.ofSeconds(150);

  /// The kinds to try out, best first; others may be missing, or be gone from a later version.
  private static final List<PolicyKind> TRIED =
      List.of(PolicyKind.CLUSTER_POLICY, PolicyKind.VALIDATING_POLICY);

  private final Cluster cluster;

  public KyvernoQuestions(Cluster cluster) {
    this.cluster = cluster;
  }

  /// The questions, in order.
  public List<Question> all() {
    return List.of(
        Question.of(KYVERNO, this::kyverno).after(ClusterQuestions.SERVER),
        Question.of(WEBHOOKS, this::webhooks).after(ClusterQuestions.SERVER),
        Question.of(HEALTH, this::health).after(ClusterQuestions.SERVER),
        Question.of(DRY_RUN, this::dryRun).after(ClusterQuestions.KINDS));
  }

  private List<Answer> kyverno() {
    return List.of(
        switch (cluster.kyverno()) {
          case Reply.Got<Kyverno>(var kyverno) -> judge(kyverno);
          case Reply.Absent<Kyverno>() ->
              Answer.warning(
                  KYVERNO,
                  "there is no Deployment kyverno-admission-controller or kyverno in the namespaces"
                      + " kyverno and kyverno-system",
                  "install Kyverno, or nothing enforces its policies; where it runs in another"
                      + " namespace, all is well");
          case Reply.Forbidden<Kyverno>(var reason) -> Answer.unknown(KYVERNO, reason);
          case Reply.Failed<Kyverno>(var reason) -> Answer.failure(KYVERNO, reason);
        });
  }

  private static Answer judge(Kyverno kyverno) {
    var found =
        kyverno.version()
            + ", Deployment "
            + kyverno.deployment()
            + ", "
            + kyverno.ready()
            + " of "
            + kyverno.wanted()
            + " replicas ready";
    var look =
        "kubectl describe deployment --namespace=" + kyverno.namespace() + " shows what it lacks";
    if (kyverno.ready() == 0) {
      return Answer.failure(KYVERNO, found, "while it is down, every apply is refused: " + look);
    }
    return kyverno.ready() < kyverno.wanted()
        ? Answer.warning(KYVERNO, found, look)
        : Answer.ok(KYVERNO, found);
  }

  private List<Answer> webhooks() {
    var answers = new ArrayList<Answer>();
    var registered = new ArrayList<String>();
    var forbidden = new ArrayList<String>();
    for (var name : CONFIGURATIONS) {
      switch (cluster.webhooks(name)) {
        case Reply.Got<List<String>>(var targets) -> {
          if (targets.isEmpty() || targets.contains("")) {
            answers.add(
                Answer.failure(
                    WEBHOOKS,
                    name + " points nowhere, or has no certificate authority",
                    "Kyverno puts that right when it starts anew: kubectl rollout restart"));
          } else {
            registered.add(name + " → " + targets.getFirst());
          }
        }
        case Reply.Absent<List<String>>() -> absent(name).ifPresent(answers::add);
        case Reply.Forbidden<List<String>>(var reason) -> forbidden.add(reason);
        case Reply.Failed<List<String>>(var reason) ->
            answers.add(Answer.failure(WEBHOOKS, reason));
      }
    }
    // One permission lets all of them be read, so one line is enough.
    forbidden.stream()
        .limit(1)
        .map(reason -> Answer.unknown(WEBHOOKS, reason))
        .forEach(answers::add);
    if (!registered.isEmpty()) {
      answers.addFirst(Answer.ok(WEBHOOKS, String.join(", ", registered)));
    }
    return answers;
  }

  /// Only what judges policies is always there; the others come with features.
  private static Optional<Answer> absent(String name) {
    return name.equals(CONFIGURATIONS.getFirst())
        ? Optional.of(
            Answer.warning(
                WEBHOOKS,
                "there is no " + name,
                "Kyverno is not installed, or has not started yet: until it has, policies are applied"
                    + " without being judged by it"))
        : Optional.empty();
  }

  private List<Answer> health() {
    var namespace =
        cluster.kyverno() instanceof Reply.Got<Kyverno>(var kyverno)
            ? kyverno.namespace()
            : "kyverno";
    var lease = namespace + "/kyverno-health";
    return List.of(
        switch (cluster.kyvernoSilence(namespace)) {
          case Reply.Got<Duration>(var silence) -> {
            var found =
                lease + ": webhooks were called " + Math.max(0, silence.toSeconds()) + " s ago";
            yield silence.compareTo(SILENCE) > 0
                ? Answer.warning(
                    HEALTH,
                    found,
                    "Kyverno's webhooks are not reached, or it is down: look at the admission"
                        + " controller's log")
                : Answer.ok(HEALTH, found);
          }
          case Reply.Absent<Duration>() ->
              Answer.warning(
                  HEALTH,
                  "there is no Lease " + lease + " that says when the webhooks were called",
                  "Kyverno is not installed there, has not started yet, or is an old version");
          case Reply.Forbidden<Duration>(var reason) -> Answer.unknown(HEALTH, reason);
          case Reply.Failed<Duration>(var reason) -> Answer.failure(HEALTH, reason);
        });
  }

  private List<Answer> dryRun() {
    if (!(cluster.kinds() instanceof Reply.Got<Kinds>(var kinds))) {
      return List.of(Answer.unknown(DRY_RUN, "which kinds are served is not known"));
    }
    for (var kind : TRIED) {
      var version = kinds.versions().get(kind);
      if (version != null) {
        return List.of(tried(kind, version));
      }
    }
    return List.of(Answer.unknown(DRY_RUN, "no kind to try it with is served: " + TRIED));
  }

  private Answer tried(PolicyKind kind, String version) {
    return switch (cluster.tryOut(kind, version)) {
      case Reply.Got<String>(var found) -> Answer.ok(DRY_RUN, found);
      case Reply.Absent<String>() ->
          Answer.unknown(DRY_RUN, kind + " was served a moment ago; is its CRD being replaced?");
      case Reply.Forbidden<String>(var reason) -> Answer.unknown(DRY_RUN, reason);
      case Reply.Failed<String>(var reason) -> Answer.failure(DRY_RUN, reason);
    };
  }
}
