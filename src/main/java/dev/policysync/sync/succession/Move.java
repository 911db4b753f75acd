package dev.policysync.sync.succession;

import dev.policysync.policy.Succession.Stage;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The state of one policy of the feed that has successors, and the next step of its move. Pure;
/// the only place that decides a step. What takes the place of a policy in the plan, and when the
/// other form goes, is decided for every policy alike by `plan.Replacements`.
///
/// Two rules keep a policy enforced: it is removed only once all successors block as the feed
/// requires, and a successor that blocks goes back to Audit only while the policy itself blocks.
///
/// @param legacy the live policy
/// @param asWritten whether the live policy is as the feed requires
/// @param executed whether this Kyverno executes policies of its kind
/// @param effective whether Kyverno executes the live policy, as the feed requires
/// @param successors in the order of the rules
/// @param former live successors that the policy no longer has
/// @param exempted whether each exception from the policy and its successor are there as the feed
///   requires
/// @param ready whether Kyverno reports all successors as ready in the form in which they are
/// @param reports the comparison of both forms, if all of them are there
/// @param rested whether the successors that rehearse have done so for as long as a rehearsal takes
record Move(
    Legacy legacy,
    boolean asWritten,
    boolean executed,
    boolean effective,
    List<Form> successors,
    List<Form> former,
    boolean exempted,
    boolean ready,
    Reports reports,
    boolean rested) {
  enum Legacy {
    /// The policy is not ours, or its kind could not be listed.
    FOREIGN,
    /// The cluster no longer has its kind.
    KIND_GONE,
    MISSING,
    THERE
  }

  enum Form {
    /// The successor's kind could not be listed.
    UNKNOWN,
    MISSING,
    /// The successor only audits, and is as the feed requires.
    REHEARSING,
    /// The successor has the policy's action, and is as the feed requires.
    FINAL,
    /// The successor only audits, and differs from what the feed requires.
    REHEARSED,
    /// The successor has the policy's action, and differs from what the feed requires.
    APPLIED;

    private boolean inForce() {
      return this == FINAL || this == APPLIED;
    }

    private boolean rehearses() {
      return this == REHEARSING || this == REHEARSED;
    }

    boolean current() {
      return this == REHEARSING || this == FINAL;
    }
  }

  enum Reports {
    AGREE,
    /// Results are missing, or the rehearsal is not over.
    MISSING,
    DIFFER
  }

  /// What the feed's policy is expected as, until the next run.
  sealed interface Step {
    /// The policy alone. Successors are removed once it is in force.
    record AsWritten() implements Step {}

    /// The policy and its successors.
    ///
    /// @param stages the stage of each successor
    record Beside(List<Stage> stages) implements Step {}

    /// The successors alone. The policy is removed once they are in force.
    record Alone() implements Step {}
  }

  /// The rules; the first one that applies decides. `docs/convert.md` has them from here: what
  /// holds → what the next run applies.
  enum Rule {
    /// the policy is somebody else's, or cannot be listed → the policy as written: a conflict or a
    /// failure
    FOREIGN(move -> move.legacy == Legacy.FOREIGN),
    /// the cluster no longer has the policy's kind → the successors alone
    KIND_GONE(move -> move.legacy == Legacy.KIND_GONE),
    /// the policy is gone, a successor has its action, and none rehearses → the successors alone
    REPLACED(move ->
        move.legacy == Legacy.MISSING
            && move.live().anyMatch(Form::inForce)
            && move.live().noneMatch(Form::rehearses)),
    /// the policy is gone, and the successors' kind cannot be listed → nothing is written: it may
    /// be replaced already; a failure
    UNKNOWN(move -> move.legacy == Legacy.MISSING && move.any(form -> form == Form.UNKNOWN)),
    /// the policy is missing → it is applied. Successors audit; if one blocks, all stay as they are
    MISSING(move -> move.legacy == Legacy.MISSING),
    /// a successor is missing, or not as the feed requires → all successors audit. If one blocks,
    /// and the policy is not in force as the feed requires, all stay as they are meanwhile
    INCOMPLETE(move -> !move.all(Form::current)),
    /// an exception or its successor is missing, or not as the feed requires → the same: what is
    /// exempted is rehearsed, too
    UNEXEMPTED(move -> !move.exempted),
    /// the policy is not as the feed requires: its update failed, or is withheld → every successor
    /// stays as it is
    CHANGED(move -> !move.asWritten),
    /// verdicts differ, and this Kyverno executes the policy, or no successor blocks → the same
    /// (`withheld`)
    DIFFERENT(
        move -> move.reports == Reports.DIFFER && (move.executed || !move.any(Form::inForce))),
    /// Kyverno does not report a successor as ready in the form in which it is → every successor
    /// stays as it is
    UNREADY(move -> !move.ready),
    /// all successors have the policy's action → the successors alone
    PROVEN(move -> move.all(form -> form == Form.FINAL)),
    /// one successor blocks, and another has rehearsed for too short a time → every successor stays
    /// as it is
    RESTING(move -> move.any(Form::inForce) && !move.rested),
    /// one successor blocks, and another was refused or withheld → that one is tried again
    PARTIAL(move -> move.any(Form::inForce)),
    /// results are missing, or `CONVERT_REHEARSAL` is not over → all successors audit
    REHEARSING(move -> move.reports == Reports.MISSING),
    /// otherwise → all successors get the policy's action
    AGREED(_ -> true);

    @SuppressWarnings("ImmutableEnumChecker") // a rule captures nothing, though its type hides that
    private final Predicate<Move> applies;

    Rule(Predicate<Move> applies) {
      this.applies = applies;
    }
  }

  Rule rule() {
    return Stream.of(Rule.values())
        .filter(rule -> rule.applies.test(this))
        .findFirst()
        .orElseThrow();
  }

  Step step() {
    return switch (rule()) {
      case FOREIGN -> new Step.AsWritten();
      case KIND_GONE, REPLACED, UNKNOWN, PROVEN -> new Step.Alone();
      case MISSING, INCOMPLETE, UNEXEMPTED -> rehearsal();
      case CHANGED, UNREADY, RESTING -> asTheyAre();
      case DIFFERENT -> effective ? all(Stage.REHEARSAL) : asTheyAre();
      case REHEARSING -> all(Stage.REHEARSAL);
      case PARTIAL, AGREED -> all(Stage.SIDE_BY_SIDE);
    };
  }

  /// Returns the step to Audit. While the policy does not block, those that do are not touched, and
  /// the policy is applied alone. From Kyverno 1.20 on, there is no policy to wait for.
  private Step rehearsal() {
    if (effective || !any(Form::inForce)) {
      return all(Stage.REHEARSAL);
    }
    return executed ? new Step.AsWritten() : asTheyAre();
  }

  private Step all(Stage stage) {
    return new Step.Beside(successors.stream().map(_ -> stage).toList());
  }

  private Step asTheyAre() {
    return new Step.Beside(
        successors.stream()
            .map(form -> form.inForce() ? Stage.SIDE_BY_SIDE : Stage.REHEARSAL)
            .toList());
  }

  private boolean all(Predicate<Form> is) {
    return successors.stream().allMatch(is);
  }

  private boolean any(Predicate<Form> is) {
    return successors.stream().anyMatch(is);
  }

  private Stream<Form> live() {
    return Stream.concat(successors.stream(), former.stream());
  }
}
