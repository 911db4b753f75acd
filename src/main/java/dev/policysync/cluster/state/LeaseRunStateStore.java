package dev.policysync.cluster.state;

import dev.policysync.cluster.connection.ClusterConnection;
import dev.policysync.cluster.lease.LeaseApi;
import dev.policysync.cluster.lease.LeaseLock;
import dev.policysync.cluster.request.KubeApi;
import dev.policysync.json.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.state.RunState;
import dev.policysync.sync.state.RunStateStore;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What runs leave for each other, as annotations on the Lease that they share:
/// `policysync.dev/memory` is the agent's own, `policysync.dev/approve-removals` and
/// `policysync.dev/approve-enforcement` a person's; since when these are there is noted beside
/// them.
///
/// Every change replaces the whole Lease at the resourceVersion that was read, so no note and no
/// renewal of a holder is ever overwritten; and no permission is needed beyond those of the lock.
public final class LeaseRunStateStore implements RunStateStore {
  /// What runs note, as JSON.
  public static final String MEMORY = "policysync.dev/memory";

  /// The digest of a list of removals that a person approves.
  public static final String APPROVAL = "policysync.dev/approve-removals";

  /// The digest of a list of writes that a person lets begin to block.
  public static final String ENFORCEMENT = "policysync.dev/approve-enforcement";

  /// Behind the name of an approval's annotation, that of ours on since when it is there:
  /// `sha256:2c26… 2026-11-21T03:00:00Z`. Managed fields tell when their manager last changed any
  /// field of its own, so another annotation by the same person would make an approval younger.
  private static final String SINCE = "-since";

  /// A field that stays, or the record of who writes the Lease ends with its last annotation.
  private static final Value.Mapping NEVER_HELD =
      Value.Mapping.EMPTY.with("leaseTransitions", new Value.Numeric("0"));

  /// A holder renews once in 15 s and other runs note something twice: more conflicts in a row than
  /// that mean something else.
  private static final int ATTEMPTS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(LeaseRunStateStore.class);

  private final LeaseApi leases;
  private final String namespace;
  private final Optional<String> context;

  /// The memory on the Lease of that namespace.
  ///
  /// @param context of the kubeconfig, for commands that a person is told; the current one if empty
  public LeaseRunStateStore(
      ClusterConnection connection, String namespace, Optional<String> context) {
    this.leases = new LeaseApi(connection, namespace);
    this.namespace = namespace;
    this.context = context;
  }

  @Override
  public Stored load() {
    return leases
        .read("read")
        .map(lease ->
            new Stored(
                true,
                memory(lease.body()),
                approval(Approval.Of.REMOVALS, lease),
                approval(Approval.Of.ENFORCEMENT, lease),
                withNotedApprovals(lease).equals(annotations(lease.body()))))
        .orElse(Stored.NOTHING);
  }

  @Override
  public void noteApprovals() {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = leases.read("note on");
      if (lease.isEmpty()) {
        return;
      }
      var before = lease.get().body();
      var after = withNotedApprovals(lease.get());
      if (after.equals(annotations(before))
          || leases.replace("note on", annotated(before, after)).isPresent()) {
        return;
      }
    }
    throw keepsChanging();
  }

  /// The annotations with what is known of the approvals among them.
  private static Value.Mapping withNotedApprovals(KubeApi.ApiResponse lease) {
    var all = annotations(lease.body());
    for (var what : Approval.Of.values()) {
      var annotation = annotation(what);
      var list = all.text(annotation);
      var given = given(annotation, lease.body());
      if (list.isEmpty()) {
        all = all.without(annotation + SINCE);
      } else if (given.isPresent() && isVoid(given.get(), lease)) {
        all = all.without(annotation).without(annotation + SINCE);
      } else if (given.isPresent()) {
        all = all.with(annotation + SINCE, new Value.Text(list.get() + " " + given.get()));
      }
    }
    return all;
  }

  private static boolean isVoid(Instant given, KubeApi.ApiResponse lease) {
    return lease
        .time()
        .filter(now -> Duration.between(given, now).compareTo(Approval.VALID) >= 0)
        .isPresent();
  }

  @Override
  public void update(UnaryOperator<RunState> change) {
    Optional<RunState> unanswered = Optional.empty();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = leases.read("note on").map(KubeApi.ApiResponse::body);
      var before = lease.map(LeaseRunStateStore::memory).orElse(RunState.NONE);
      if (unanswered.equals(Optional.of(before))) {
        return;
      }
      var after = change.apply(before);
      try {
        if (after.equals(before) || noted(lease, RunStateJson.write(after)).isPresent()) {
          return;
        }
      } catch (ClusterUnavailable e) {
        // Where the answer is lost, the Lease tells whether it was noted.
        if (e.failure().cause() != Failure.Cause.UNREACHABLE || unanswered.isPresent()) {
          throw e;
        }
        unanswered = Optional.of(after);
      }
    }
    throw keepsChanging();
  }

  @Override
  public boolean use(Approval approval) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = leases.read("use the approval on").map(KubeApi.ApiResponse::body);
      if (!lease
          .flatMap(there -> annotations(there).text(annotation(approval.of())))
          .equals(Optional.of(approval.list()))) {
        return false;
      }
      var annotation = annotation(approval.of());
      var without =
          annotated(
              lease.get(),
              annotations(lease.get()).without(annotation).without(annotation + SINCE));
      if (leases.replace("use the approval on", without).isPresent()) {
        LOG.atInfo()
            .addKeyValue("list", approval.list())
            .log(
                switch (approval.of()) {
                  case REMOVALS -> "Approval of removals used";
                  case ENFORCEMENT -> "Approval of what begins to block used";
                });
        return true;
      }
    }
    throw keepsChanging();
  }

  @Override
  public String commandToApprove(Approval.Of what, Digest list) {
    return "kubectl annotate lease "
        + LeaseLock.NAME
        + context.map(name -> " --context=" + shellWord(name)).orElse("")
        + " --namespace="
        + shellWord(namespace)
        + " --overwrite "
        + annotation(what)
        + "="
        + list;
  }

  /// As a shell has to be given it.
  private static String shellWord(String text) {
    return text.matches("[A-Za-z0-9._/:@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private Optional<Value.Mapping> noted(Optional<Value.Mapping> lease, Optional<String> memory) {
    var before = lease.map(LeaseRunStateStore::annotations).orElse(Value.Mapping.EMPTY);
    var after =
        memory
            .map(text -> before.with(MEMORY, new Value.Text(text)))
            .orElseGet(() -> before.without(MEMORY));
    return lease.isPresent()
        ? leases.replace("note on", annotated(lease.get(), after))
        : leases.create("note on", after, NEVER_HELD);
  }

  private static Value.Mapping annotated(Value.Mapping lease, Value.Mapping annotations) {
    return lease.with("metadata", lease.mapping("metadata").with("annotations", annotations));
  }

  private static RunState memory(Value.Mapping lease) {
    return annotations(lease).text(MEMORY).map(RunStateJson::read).orElse(RunState.NONE);
  }

  private static String annotation(Approval.Of what) {
    return switch (what) {
      case REMOVALS -> APPROVAL;
      case ENFORCEMENT -> ENFORCEMENT;
    };
  }

  private static Optional<Approval> approval(Approval.Of what, KubeApi.ApiResponse lease) {
    return annotations(lease.body())
        .text(annotation(what))
        .map(list -> new Approval(what, list, age(annotation(what), lease)));
  }

  private static Value.Mapping annotations(Value.Mapping lease) {
    return lease.mapping("metadata").mapping("annotations");
  }

  /// How long ago the approval was written, by the API server's clock at both ends.
  private static Optional<Duration> age(String annotation, KubeApi.ApiResponse lease) {
    return given(annotation, lease.body())
        .flatMap(given -> lease.time().map(now -> Duration.between(given, now)));
  }

  /// When the approval was written: managed fields record when their owner wrote last. Of several
  /// owners the one who wrote first counts, and what a run noted before they wrote again.
  private static Optional<Instant> given(String annotation, Value.Mapping lease) {
    var written =
        lease.mapping("metadata").items("managedFields").stream()
            .filter(entry -> owns(annotation, entry))
            .map(entry -> time((Value.Mapping) entry))
            .reduce((one, other) -> one.flatMap(a -> other.map(b -> earlier(a, b))))
            .flatMap(time -> time);
    var noted = noted(annotation, lease);
    return written.isPresent() && noted.isPresent()
        ? Optional.of(earlier(written.get(), noted.get()))
        : written;
  }

  /// Since when a run knows that very approval.
  private static Optional<Instant> noted(String annotation, Value.Mapping lease) {
    var annotations = annotations(lease);
    return annotations
        .text(annotation)
        .flatMap(list ->
            annotations
                .text(annotation + SINCE)
                .filter(noted -> noted.startsWith(list + " "))
                .flatMap(noted -> time(noted.substring(list.length() + 1))));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static boolean owns(String annotation, Value entry) {
    return entry instanceof Value.Mapping mapping
        && mapping
            .mapping("fieldsV1")
            .mapping("f:metadata")
            .mapping("f:annotations")
            .field("f:" + annotation)
            .isPresent();
  }

  private static Optional<Instant> time(Value.Mapping entry) {
    return entry.text("time").flatMap(LeaseRunStateStore::time);
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private ClusterUnavailable keepsChanging() {
    return new ClusterUnavailable(
        new Failure(
            Failure.Cause.CONFLICT,
            "note on the Lease " + leases.name() + ": somebody else writes it again and again"));
  }
}
