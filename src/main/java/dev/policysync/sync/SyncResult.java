package dev.policysync.sync;

import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// How a run ended.
public sealed interface SyncResult {
  /// The plan was carried out, as far as its outcomes say.
  ///
  /// @param feed the digest of the feed that the plan was made from
  /// @param changes for `diff`: what each write would change, by policy
  /// @param removalApproval how to let withheld removals through, where a person may
  /// @param enforcementApproval how to let through what is withheld because of what it blocks
  /// @param notInForce what is in sync and is not executed
  /// @param impacts which writes change what is blocked, also of those that are withheld
  /// @param remarks what else went wrong, doing no harm to the policies
  /// @param conversions what would become of the feed's policies that Kyverno 1.20 no longer
  ///   executes, where somebody asked
  record Finished(
      Plan plan,
      List<Outcome> outcomes,
      Digest feed,
      Map<PolicyId, PolicyDiff> changes,
      Optional<ApprovalInstructions> removalApproval,
      Optional<ApprovalInstructions> enforcementApproval,
      List<WriteImpact> impacts,
      List<NotInForce> notInForce,
      List<String> remarks,
      Optional<List<PolicyConversion>> conversions)
      implements SyncResult {
    /// One in which nobody looked at what is blocked, or asked what would become of policies.
    public Finished(
        Plan plan,
        List<Outcome> outcomes,
        Digest feed,
        Map<PolicyId, PolicyDiff> changes,
        Optional<ApprovalInstructions> how,
        List<String> remarks) {
      this(
          plan,
          outcomes,
          feed,
          changes,
          how,
          Optional.empty(),
          List.of(),
          List.of(),
          remarks,
          Optional.empty());
    }

    public Finished {
      impacts = List.copyOf(impacts);
      notInForce = List.copyOf(notInForce);
      outcomes = List.copyOf(outcomes);
      changes = Map.copyOf(changes);
      remarks = List.copyOf(remarks);
      conversions = conversions.map(List::copyOf);
    }

    /// The same, with that found out.
    Finished converting(List<PolicyConversion> found) {
      return with(remarks, Optional.of(found));
    }

    /// The same, and that went wrong, too.
    Finished remarking(String remark) {
      var more = new ArrayList<>(remarks);
      more.add(remark);
      return with(more, conversions);
    }

    private Finished with(List<String> said, Optional<List<PolicyConversion>> found) {
      return new Finished(
          plan,
          outcomes,
          feed,
          changes,
          removalApproval,
          enforcementApproval,
          impacts,
          notInForce,
          said,
          found);
    }
  }

  /// Another run has the Lease; nothing was written.
  ///
  /// @param objection why this cannot be a run at work, and what to do; empty where it can
  record Skipped(String holder, Digest feed, Optional<String> objection) implements SyncResult {}

  /// A signal came while the plan was carried out, or before everybody was told what came of it.
  record Interrupted(Finished run) implements SyncResult {}

  /// The run was ended from outside, or broke down, before it came to its end.
  ///
  /// @param run what was known by then; empty before there was a plan
  record CutOff(String reason, Optional<Finished> run) implements SyncResult {
    /// A run that had carried out that much of its plan.
    public static CutOff during(String reason, Plan plan, Digest feed, List<Outcome> ended) {
      var outcomes = new ArrayList<>(ended);
      var known = ended.stream().map(Outcome::action).collect(Collectors.toSet());
      plan.actions().stream()
          .filter(action -> !known.contains(action))
          .forEach(action -> outcomes.add(new Outcome.NotAttempted(action, StopReason.CUT_OFF)));
      var run = new Finished(plan, outcomes, feed, Map.of(), Optional.empty(), List.of());
      return new CutOff(reason, Optional.of(run));
    }
  }

  /// A signal came before anything was written.
  record Stopped() implements SyncResult {}

  /// The feed could not be trusted, or the cluster not be read or locked: nothing was written.
  record Refused(String reason, boolean retryable) implements SyncResult {}
}
