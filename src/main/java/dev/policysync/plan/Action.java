package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// One write that a plan asks for.
public sealed interface Action {
  /// Which policy it writes.
  PolicyId id();

  /// Why.
  Cause cause();

  /// An apply, creating or updating; the two are one request and told apart for people.
  sealed interface Write extends Action {
    /// What to apply.
    DesiredPolicy desired();

    /// The state it was judged in; none where it was not there.
    Optional<ObjectVersion> seen();

    @Override
    default PolicyId id() {
      return desired().id();
    }
  }

  /// A policy that is not there yet.
  record Create(DesiredPolicy desired) implements Write {
    @Override
    public Cause cause() {
      return Cause.NEW;
    }

    @Override
    public Optional<ObjectVersion> seen() {
      return Optional.empty();
    }
  }

  /// A policy that is there but not as it should be.
  ///
  /// @param by who changed it, as far as managed fields tell; for drift alone
  record Update(DesiredPolicy desired, ObjectVersion was, Cause cause, Set<String> by)
      implements Write {
    public Update {
      by = Collections.unmodifiableSet(new TreeSet<>(by));
    }

    /// An update that nobody else caused.
    public Update(DesiredPolicy desiredPolicy, ObjectVersion was, Cause cause) {
      this(desiredPolicy, was, cause, Set.of());
    }

    @Override
    public Optional<ObjectVersion> seen() {
      return Optional.of(was);
    }
  }

  /// A policy that is no longer wanted.
  ///
  /// @param was the preconditions of its removal
  /// @param successors expected policies of the same name and another kind, or another form of the
  ///   same policy; it stays until all of them are in force
  /// @param cause [Cause#GONE_FROM_FEED] or [Cause#REPLACED]
  /// @param inForce those successors that were found to be in force, which this run does not write
  record Remove(
      PolicyId id,
      ObjectVersion was,
      Set<PolicyId> successors,
      Cause cause,
      Set<Generation> inForce)
      implements Action {
    public Remove {
      successors = Set.copyOf(successors);
      inForce = Set.copyOf(inForce);
    }

    /// One that the feed does not have any more.
    public Remove(PolicyId id, ObjectVersion was, Set<PolicyId> successors) {
      this(id, was, successors, Cause.GONE_FROM_FEED, Set.of());
    }

    /// The same, about the object as it is now.
    public Remove now(ObjectVersion is) {
      return new Remove(id, is, successors, cause, inForce);
    }

    /// A policy as it was listed: with another generation it says something else.
    public record Generation(PolicyId id, String uid, long number) {
      public static Generation of(LivePolicy listed) {
        return new Generation(listed.id(), listed.objectVersion().uid(), listed.generation());
      }

      /// Whether it is still there, and stays.
      public boolean is(LivePolicy there) {
        return !there.terminating() && equals(of(there));
      }
    }

    /// Whether the feed does not have it any more, in no form: such removals are counted.
    public boolean isOfFeed() {
      return cause == Cause.GONE_FROM_FEED;
    }
  }

  /// Why a policy is written.
  enum Cause {
    NEW("new"),
    CHANGED("changed"),
    DRIFTED("drifted"),
    ADOPTED("adopted"),
    GONE_FROM_FEED("gone from feed"),
    /// The feed still has the policy, which is in force in another form.
    REPLACED("replaced");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
