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

/// What runs leave for each other, as annotations on the Lease that they share: one is the agent's
/// own ([RunStateJson]), others a person's ([ApprovalAnnotations]).
///
/// Every change replaces the whole Lease at the resourceVersion that was read, so no note and no
/// renewal of a holder is ever overwritten; and no permission is needed beyond those of the lock.
public final class LeaseRunStateStore implements RunStateStore {
  /// What runs note, as JSON.
  public static final String MEMORY = "policysync.dev/memory";

  /// A field that stays, or the record of who writes the Lease ends with its last annotation.
  private static final Value.Mapping NEVER_HELD =
      Value.Mapping.EMPTY.with("leaseTransitions", Value.Numeric.of(0));

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
    return leases.read("read").map(LeaseRunStateStore::stored).orElse(Stored.NOTHING);
  }

  private static Stored stored(ApiResponse lease) {
    var approvals = new ApprovalAnnotations(lease);
    return new Stored(
        true,
        memory(lease.body()),
        approvals.approval(Approval.Of.REMOVALS),
        approvals.approval(Approval.Of.ENFORCEMENT),
        approvals.noted().equals(approvals.all()));
  }

  @Override
  public void noteApprovals() {
    var _ = change("note on", ApprovalAnnotations::noted);
  }

  @Override
  public boolean use(Approval approval) {
    var used = change("use the approval on", approvals -> approvals.using(approval));
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
    if (change("end the approval on", approvals -> approvals.using(approval))) {
      LOG.atInfo().addKeyValue("list", approval.list()).log("Approval ended");
    }
  }

  /// Changes the annotations, and tells whether there was anything to change.
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
