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
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Progress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/// A policy that has successors, and the state of all of them in the cluster: enough to decide the
/// next step. Pure.
///
/// @param legacy the live policy, if it exists
/// @param successors the successors in their order
/// @param replaced whether the policy does not exist, and successors have already replaced it
/// @param foreign whether the policy exists and is not ours, or this is unknown
record Candidate(
    PolicyId id,
    Optional<LivePolicy> legacy,
    List<Member> successors,
    boolean replaced,
    boolean foreign) {
  private static final Position NOWHERE = new Position("", 1, 1, 1);

  /// A successor.
  ///
  /// @param there the live policy of the successor's name
  /// @param form the form in which the successor is in sync, if it is
  record Member(PolicyConversion.Successor successor, Optional<LivePolicy> there, Form form) {}

  enum Form {
    REHEARSING,
    FINAL,
    /// The successor is missing, or its original has changed.
    NEITHER
  }

  static Candidate of(
      PolicyConversion conversion, ActualPolicies actualPolicies, SourceName source) {
    var live = actualPolicies.byId();
    var id = conversion.policy();
    var legacy = Optional.ofNullable(live.get(id));
    var listing = actualPolicies.of(id.kind());
    var served = listing instanceof Listing.Listed;
    var done =
        live.values().stream()
            .filter(there -> isOurs(there, source) && !Successors.rehearses(there))
            .anyMatch(there -> Successors.legacyOf(there).filter(id::equals).isPresent());
    return new Candidate(
        id,
        legacy,
        conversion.successors().stream()
            .map(successor -> member(successor, id, actualPolicies, live, source))
            .toList(),
        legacy.isEmpty() && (done || listing instanceof Listing.Absent),
        (!served && !(listing instanceof Listing.Absent))
            || legacy.filter(there -> !isOurs(there, source)).isPresent());
  }

  private static boolean isOurs(LivePolicy there, SourceName source) {
    return OwnershipVerdict.of(there, source) instanceof OwnershipVerdict.Ours;
  }

  private static Member member(
      PolicyConversion.Successor successor,
      PolicyId legacy,
      ActualPolicies actualPolicies,
      Map<PolicyId, LivePolicy> live,
      SourceName source) {
    var there = Optional.ofNullable(live.get(successor.id()));
    BiPredicate<LivePolicy, Stage> is =
        (policy, stage) ->
            actualPolicies.of(successor.id().kind()) instanceof Listing.Listed(var version, _)
                && policy
                    .annotation(OwnershipAnnotations.APPLIED)
                    .equals(Optional.of(signature(successor, legacy, stage, version, source)));
    var form =
        there
            .filter(policy -> isOurs(policy, source))
            .map(policy ->
                is.test(policy, Stage.REHEARSAL)
                    ? Form.REHEARSING
                    : is.test(policy, Stage.REPLACEMENT) ? Form.FINAL : Form.NEITHER)
            .orElse(Form.NEITHER);
    return new Member(successor, there, form);
  }

  private static String signature(
      PolicyConversion.Successor successor,
      PolicyId legacy,
      Stage stage,
      String version,
      SourceName source) {
    var policy = Forms.of(successor, NOWHERE, new Succession(legacy, stage));
    return DesiredPolicy.of(policy, version, source).signature();
  }

  /// Returns whether reports can already show a comparison.
  boolean askable() {
    return legacy.isPresent()
        && !foreign
        && (all(Form.REHEARSING) || all(Form.FINAL))
        && unready().isEmpty();
  }

  Stream<LivePolicy> there() {
    return Stream.concat(
        legacy.stream(), successors.stream().flatMap(member -> member.there().stream()));
  }

  /// Returns the next step; empty if the policy is not ours, or if this is unknown.
  ///
  /// @param compared the comparison of the candidates that are [#askable()]
  Optional<Progress> step(Rehearsals.Compared compared) {
    return foreign ? Optional.empty() : Optional.of(next(compared));
  }

  private Progress next(Rehearsals.Compared compared) {
    if (replaced) {
      return to(Stage.REPLACEMENT, "");
    }
    if (legacy.isEmpty() || !(all(Form.REHEARSING) || all(Form.FINAL))) {
      return to(Stage.REHEARSAL, "the successors are applied beside it");
    }
    var unready = unready();
    if (unready.isPresent()) {
      return to(
          all(Form.FINAL) ? Stage.SIDE_BY_SIDE : Stage.REHEARSAL,
          "Kyverno does not report " + unready.get() + " as ready");
    }
    var objection = compared.objection(this);
    if (all(Form.FINAL)) {
      return objection
          .filter(Rehearsals.Objection::differs)
          .map(Candidate::rehearsing)
          .orElseGet(() -> to(Stage.REPLACEMENT, ""));
    }
    return objection
        .map(Candidate::rehearsing)
        .orElseGet(
            () -> to(Stage.SIDE_BY_SIDE, id + " is removed once Kyverno reports them as ready"));
  }

  private static Progress to(Stage stage, String reason) {
    return new Progress(stage, reason, false);
  }

  private static Progress rehearsing(Rehearsals.Objection objection) {
    return new Progress(Stage.REHEARSAL, objection.reason(), objection.differs());
  }

  private boolean all(Form form) {
    return successors.stream().allMatch(member -> member.form() == form);
  }

  private Optional<PolicyId> unready() {
    return successors.stream()
        .filter(member ->
            member
                .there()
                .filter(there ->
                    there.liveStatus().readiness() != Readiness.NOT_READY && !there.terminating())
                .isEmpty())
        .map(member -> member.successor().id())
        .findFirst();
  }
}
