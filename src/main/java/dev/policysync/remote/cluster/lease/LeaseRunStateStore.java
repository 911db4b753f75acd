package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.sync.RunState;
import dev.policysync.sync.RunStateStore;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the run state in annotations on the Lease that all runs share. One annotation is the
/// agent's own ([RunStateJson]); people set the others ([ApprovalAnnotations]).
///
/// Every change replaces the whole Lease at the resourceVersion that was read, so no recorded state
/// and no renewal is ever overwritten. It needs no permissions beyond those of the lock.
public final class LeaseRunStateStore implements RunStateStore {
  /// The annotation with the run state, as JSON.
  public static final String MEMORY = "policysync.dev/memory";

  /// The `spec` of a Lease that no run has held. This field must exist, or the managed fields would
  /// disappear with the last annotation.
  private static final Value.Mapping NEVER_HELD =
      Value.Mapping.EMPTY.with("leaseTransitions", Value.Numeric.of(0));

  /// The maximum number of conflicts in a row. A holder renews the Lease every 15 s and each run
  /// records its state twice, so more conflicts have another cause.
  private static final int ATTEMPTS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(LeaseRunStateStore.class);

  private final LeaseApi leases;
  private final String namespace;
  private final Optional<String> context;

  /// Creates the store on the Lease in this namespace.
  ///
  /// @param context the kubeconfig's context, for commands in messages; empty for the current
  ///   context
  public LeaseRunStateStore(
      ClusterConnection connection, String namespace, Optional<String> context) {
    this.leases = new LeaseApi(connection, namespace);
    this.namespace = namespace;
    this.context = context;
  }

  @Override
  public Stored load() {
    return leases.read("read").map(LeaseRunStateStore::stored).orElse(Stored.NOTHING);
  }

  private static Stored stored(ApiResponse lease) {
    var approvals = new ApprovalAnnotations(lease);
    return new Stored(
        true,
        memory(lease.body()),
        approvals.approval(Approval.Of.REMOVALS),
        approvals.approval(Approval.Of.ENFORCEMENT),
        approvals.withSinceAnnotations().equals(approvals.all()));
  }

  @Override
  public void noteApprovals() {
    var _ = change("note on", ApprovalAnnotations::withSinceAnnotations);
  }

  @Override
  public boolean use(Approval approval) {
    var used = change("use the approval on", approvals -> approvals.withoutApproval(approval));
    if (used) {
      LOG.atInfo()
          .addKeyValue("list", approval.list())
          .log(
              switch (approval.of()) {
                case REMOVALS -> "Approval of removals used";
                case ENFORCEMENT -> "Enforcement approval used";
              });
    }
    return used;
  }

  @Override
  public void end(Approval approval) {
    if (change("end the approval on", approvals -> approvals.withoutApproval(approval))) {
      LOG.atInfo().addKeyValue("list", approval.list()).log("Approval ended");
    }
  }

  /// Changes the annotations, and returns whether there was anything to change.
  private boolean change(String why, Function<ApprovalAnnotations, Value.Mapping> change) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = leases.read(why).map(ApprovalAnnotations::new);
      var after = lease.map(change);
      if (after.equals(lease.map(ApprovalAnnotations::all))) {
        return false;
      }
      if (leases.replace(why, annotated(lease.get().lease().body(), after.get())).isPresent()) {
        return true;
      }
    }
    throw keepsChanging();
  }

  @Override
  public void update(UnaryOperator<RunState> change) {
    Optional<RunState> unanswered = Optional.empty();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = leases.read("record state on").map(ApiResponse::body);
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
        // If the response is lost, the Lease shows whether the state was recorded.
        if (e.failure().cause() != Failure.Cause.UNREACHABLE || unanswered.isPresent()) {
          throw e;
        }
        unanswered = Optional.of(after);
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
        + ApprovalAnnotations.name(what)
        + "="
        + list;
  }

  private static String shellWord(String text) {
    return text.matches("[A-Za-z0-9._/:@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private Optional<Value.Mapping> noted(Optional<Value.Mapping> lease, Optional<String> memory) {
    var before = lease.map(LeaseRunStateStore::annotations).orElse(Value.Mapping.EMPTY);
    var after =
        memory.map(text -> before.with(MEMORY, text)).orElseGet(() -> before.without(MEMORY));
    return lease.isPresent()
        ? leases.replace("record state on", annotated(lease.get(), after))
        : leases.create("record state on", after, NEVER_HELD);
  }

  private static Value.Mapping annotated(Value.Mapping lease, Value.Mapping annotations) {
    return lease.with("metadata", lease.mapping("metadata").with("annotations", annotations));
  }

  private static RunState memory(Value.Mapping lease) {
    return annotations(lease).text(MEMORY).map(RunStateJson::read).orElse(RunState.NONE);
  }

  private static Value.Mapping annotations(Value.Mapping lease) {
    return lease.mapping("metadata").mapping("annotations");
  }

  private ClusterUnavailable keepsChanging() {
    return new ClusterUnavailable(
        new Failure(
            Failure.Cause.CONFLICT,
            "record state on the Lease " + leases.name() + ": another client keeps modifying it"));
  }
}
