package dev.policysync.sync.succession;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.plan.OwnershipVerdict;
import dev.policysync.plan.SourceName;
import dev.policysync.plan.Successors;
import dev.policysync.policy.OwnershipAnnotations;
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
import java.util.Map;
import java.util.Objects;
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
  record Member(PolicyConversion.Successor successor, Optional<LivePolicy> there, Form form) {}

  /// The live policies of a cluster, as an agent of this source finds them.
  ///
  /// @param live the live policies by their id
  /// @param forms the live successors by the policy that they were made from, whichever source
  ///   applied them
  record Cluster(
      ActualPolicies actualPolicies,
      Map<PolicyId, LivePolicy> live,
      Map<PolicyId, List<LivePolicy>> forms,
      SourceName source) {
    Cluster(ActualPolicies actualPolicies, SourceName source) {
      this(
          actualPolicies,
          actualPolicies.byId(),
          Successors.byLegacy(actualPolicies.byId().values()),
          source);
    }

    /// Returns whether the live policy is as we would apply it, apart from drift, which every run
    /// repairs.
    boolean has(Policy policy) {
      return Optional.ofNullable(live.get(policy.id())).filter(it -> is(it, policy)).isPresent();
    }

    private boolean is(LivePolicy there, Policy policy) {
      return isOurs(there)
          && actualPolicies.of(policy.id().kind()) instanceof Listing.Listed(var version, _)
          && there
              .annotation(OwnershipAnnotations.APPLIED)
              .equals(Optional.of(DesiredPolicy.of(policy, version, source).signature()));
    }

    private boolean isOurs(LivePolicy there) {
      return OwnershipVerdict.of(there, source) instanceof OwnershipVerdict.Ours;
    }

    /// Returns whether the live policy is as the feed requires, and nobody else changed it.
    private boolean isInSync(LivePolicy there, Policy written) {
      return is(there, written)
          && there.ownership().intruders().isEmpty()
          && actualPolicies.of(written.id().kind()) instanceof Listing.Listed(var version, _)
          && there.ownership().matches(DesiredPolicy.of(written, version, source).manifest());
    }

    private Legacy legacy(PolicyId id) {
      return switch (actualPolicies.of(id.kind())) {
        case Listing.Absent _ -> Legacy.KIND_GONE;
        case Listing.Excluded _, Listing.Unlistable _ -> Legacy.FOREIGN;
        case Listing.Listed _ when !live.containsKey(id) -> Legacy.MISSING;
        case Listing.Listed _ ->
            isOurs(Objects.requireNonNull(live.get(id))) ? Legacy.THERE : Legacy.FOREIGN;
      };
    }

    private Member member(PolicyConversion.Successor successor, Policy legacy) {
      var there = Optional.ofNullable(live.get(successor.id()));
      if (!(actualPolicies.of(successor.id().kind()) instanceof Listing.Listed)) {
        return new Member(successor, there, Form.UNKNOWN);
      }
      return new Member(
          successor,
          there,
          there
              .map(it ->
                  is(it, Forms.of(successor, legacy, Stage.REHEARSAL))
                      ? Form.REHEARSING
                      : is(it, Forms.of(successor, legacy, Stage.REPLACEMENT))
                          ? Form.FINAL
                          : other(it))
              .orElse(Form.MISSING));
    }

    private static Form other(LivePolicy there) {
      return Successors.of(there).filter(Succession::rehearses).isPresent()
          ? Form.REHEARSED
          : Form.APPLIED;
    }

    private boolean isApplied(LivePolicy there) {
      return isOurs(there)
          || OwnershipVerdict.of(there, source) instanceof OwnershipVerdict.OtherSource;
    }
  }

  static Candidate of(
      PolicyConversion conversion, Policy written, Cluster cluster, List<Policy> exceptions) {
    var id = conversion.policy();
    var successors =
        conversion.successors().stream()
            .map(successor -> cluster.member(successor, written))
            .toList();
    var legacy = Optional.ofNullable(cluster.live.get(id));
    var names = successors.stream().map(member -> member.successor().id()).toList();
    return new Candidate(
        id,
        legacy,
        cluster.legacy(id),
        cluster.has(written),
        legacy.filter(it -> isReady(it) && cluster.isInSync(it, written)).isPresent(),
        successors,
        cluster.forms.getOrDefault(id, List.of()).stream()
            .filter(there -> !names.contains(there.id()) && cluster.isApplied(there))
            .map(Cluster::other)
            .toList(),
        exceptions.stream()
            .map(exception -> cluster.live.get(exception.id()))
            .filter(Objects::nonNull)
            .toList(),
        exceptions.stream().allMatch(cluster::has));
  }

  /// Returns whether reports can already show a comparison.
  boolean askable() {
    return state == Legacy.THERE
        && asWritten
        && exempted
        && successors.stream()
            .allMatch(it -> it.form() == Form.REHEARSING || it.form() == Form.FINAL)
        && unready(Rehearsals.Compared.NONE).isEmpty();
  }

  /// Returns the policy and its exceptions.
  Stream<LivePolicy> originals() {
    return Stream.concat(legacy.stream(), exceptions.stream());
  }

  Stream<LivePolicy> there() {
    return Stream.concat(
        originals(), successors.stream().flatMap(member -> member.there().stream()));
  }

  /// @param compared the comparison of the candidates that are [#askable()]
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
                .objection(this)
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
          compared.objection(this).map(Rehearsals.Objection::reason).orElse("");
      case PARTIAL, AGREED -> id + " is removed once Kyverno reports them as ready";
    };
  }

  /// @param compared knows of which form the status of a successor is
  private Optional<PolicyId> unready(Rehearsals.Compared compared) {
    return successors.stream()
        .filter(member ->
            member.there().filter(Candidate::isReady).isEmpty()
                || (member.form() == Form.FINAL
                    && compared.early().contains(member.successor().id())))
        .map(member -> member.successor().id())
        .findFirst();
  }

  private static boolean isReady(LivePolicy there) {
    return there.liveStatus().readiness() != Readiness.NOT_READY && !there.terminating();
  }
}
