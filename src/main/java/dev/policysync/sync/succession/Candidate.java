package dev.policysync.sync.succession;

import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Successors;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Progress;
import dev.policysync.sync.succession.Move.Form;
import dev.policysync.sync.succession.Move.Legacy;
import dev.policysync.sync.succession.Move.Step;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A policy that has successors, as the cluster shows all of them: what a [Move] is decided from.
///
/// @param legacy the live policy, if it exists
/// @param state what the live policy is to the agent
/// @param asWritten whether the live policy is as the feed requires
/// @param effective whether the live policy is as the feed requires, unchanged and ready
/// @param successors the successors in their order
/// @param former the forms of live successors that the policy no longer has
/// @param exceptions the live exceptions from the policy and their successors
/// @param exempted whether all of these exist, as the feed requires
record Candidate(
    PolicyId id,
    Optional<LivePolicy> legacy,
    Legacy state,
    boolean asWritten,
    boolean effective,
    List<Member> successors,
    List<Form> former,
    List<LivePolicy> exceptions,
    boolean exempted) {

  /// A successor.
  ///
  /// @param there the live policy of the successor's name
  /// @param form what it is
  record Member(PolicyConversion.Successor successor, Optional<LivePolicy> there, Form form) {
    private boolean isReady() {
      return there.filter(LivePolicy::isReady).isPresent();
    }
  }

  static Candidate of(
      PolicyConversion conversion, Policy written, Cluster cluster, List<Policy> exceptions) {
    var id = conversion.policy();
    var successors =
        conversion.successors().stream()
            .map(successor ->
                new Member(
                    successor, cluster.policy(successor.id()), form(successor, written, cluster)))
            .toList();
    var legacy = cluster.policy(id);
    var names = successors.stream().map(member -> member.successor().id()).toList();
    return new Candidate(
        id,
        legacy,
        legacy(id, cluster),
        cluster.has(written),
        legacy.filter(LivePolicy::isReady).isPresent() && cluster.isInSync(written),
        successors,
        cluster.forms().getOrDefault(id, List.of()).stream()
            .filter(there -> !names.contains(there.id()) && cluster.isApplied(there))
            .map(Candidate::changed)
            .toList(),
        exceptions.stream().flatMap(exception -> cluster.policy(exception.id()).stream()).toList(),
        exceptions.stream().allMatch(cluster::has));
  }

  private static Legacy legacy(PolicyId id, Cluster cluster) {
    return switch (cluster.listing(id.kind())) {
      case Listing.Absent _ -> Legacy.KIND_GONE;
      case Listing.Excluded _, Listing.Unlistable _ -> Legacy.FOREIGN;
      case Listing.Listed _ ->
          cluster
              .policy(id)
              .map(there -> cluster.isOurs(there) ? Legacy.THERE : Legacy.FOREIGN)
              .orElse(Legacy.MISSING);
    };
  }

  private static Form form(PolicyConversion.Successor successor, Policy legacy, Cluster cluster) {
    if (!(cluster.listing(successor.id().kind()) instanceof Listing.Listed)) {
      return Form.UNKNOWN;
    }
    if (cluster.has(Forms.of(successor, legacy, Stage.REHEARSAL))) {
      return Form.REHEARSING;
    }
    if (cluster.has(Forms.of(successor, legacy, Stage.REPLACEMENT))) {
      return Form.FINAL;
    }
    return cluster.policy(successor.id()).map(Candidate::changed).orElse(Form.MISSING);
  }

  /// Returns the form of a successor that is not, or no longer, as the feed requires.
  private static Form changed(LivePolicy there) {
    return Successors.of(there).filter(Succession::rehearses).isPresent()
        ? Form.REHEARSED
        : Form.APPLIED;
  }

  /// Returns whether reports can already show a comparison.
  boolean askable() {
    return state == Legacy.THERE
        && asWritten
        && exempted
        && successors.stream().allMatch(member -> member.form().current() && member.isReady());
  }

  /// Returns the policy and its exceptions.
  Stream<LivePolicy> originals() {
    return Stream.concat(legacy.stream(), exceptions.stream());
  }

  Stream<LivePolicy> liveSuccessors() {
    return successors.stream().flatMap(member -> member.there().stream());
  }

  Move move(Rehearsals.Compared compared) {
    return new Move(
        state,
        asWritten,
        compared.executesLegacy(),
        effective && compared.executesLegacy(),
        successors.stream().map(Member::form).toList(),
        former,
        exempted,
        unready(compared).isEmpty(),
        askable()
            ? compared
                .objection(id)
                .map(it -> it.differs() ? Move.Reports.DIFFER : Move.Reports.MISSING)
                .orElse(Move.Reports.AGREE)
            : Move.Reports.MISSING,
        compared.rested(id));
  }

  /// Returns how far the move has progressed, and what it waits for; empty if the policy is applied
  /// as written.
  Optional<Progress> progress(Move move, Rehearsals.Compared compared) {
    return switch (move.step()) {
      case Step.AsWritten() -> Optional.empty();
      case Step.Alone() -> Optional.of(new Progress(Stage.REPLACEMENT, "", false));
      case Step.Beside(var stages) ->
          Optional.of(
              new Progress(
                  stages.contains(Stage.REHEARSAL) ? Stage.REHEARSAL : Stage.SIDE_BY_SIDE,
                  reason(move.rule(), compared),
                  move.rule() == Move.Rule.DIFFERENT));
    };
  }

  private String reason(Move.Rule rule, Rehearsals.Compared compared) {
    return switch (rule) {
      case FOREIGN, KIND_GONE, REPLACED, UNKNOWN, PROVEN -> "";
      case MISSING, INCOMPLETE -> "the successors are applied beside it";
      case UNEXEMPTED -> "its exceptions are applied in both forms";
      case CHANGED -> id + " is not as the feed requires";
      case UNREADY -> "Kyverno does not report " + unready(compared).orElse(id) + " as ready";
      case DIFFERENT, RESTING, REHEARSING ->
          compared.objection(id).map(Rehearsals.Objection::reason).orElse("");
      case PARTIAL, AGREED -> id + " is removed once Kyverno reports them as ready";
    };
  }

  /// @param compared knows of which form the status of a successor is
  private Optional<PolicyId> unready(Rehearsals.Compared compared) {
    return successors.stream()
        .filter(member ->
            !member.isReady()
                || (member.form() == Form.FINAL
                    && compared.early().contains(member.successor().id())))
        .map(member -> member.successor().id())
        .findFirst();
  }
}
