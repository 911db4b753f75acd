package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// One write or removal that a plan requests.
public sealed interface Action {
  PolicyId id();

  Cause cause();

  /// A server-side apply. Creating and updating are the same request; two types tell them apart for
  /// people.
  sealed interface Write extends Action {
    DesiredPolicy desired();

    /// The version of the live policy that the plan was made from; empty if the policy does not
    /// exist.
    Optional<ObjectVersion> seen();

    @Override
    default PolicyId id() {
      return desired().id();
    }
  }

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

  /// Applies a policy that exists but differs from the expected policy.
  ///
  /// @param by the field managers that changed the policy, as far as managed fields show; used only
  ///   for drift
  record Update(DesiredPolicy desired, ObjectVersion was, Cause cause, Set<String> by)
      implements Write {
    public Update {
      by = Collections.unmodifiableSet(new TreeSet<>(by));
    }

    /// Creates an update that no other field manager caused.
    public Update(DesiredPolicy desiredPolicy, ObjectVersion was, Cause cause) {
      this(desiredPolicy, was, cause, Set.of());
    }

    @Override
    public Optional<ObjectVersion> seen() {
      return Optional.of(was);
    }
  }

  /// Removes a policy that is no longer expected.
  ///
  /// @param was the preconditions of the removal
  /// @param successors expected policies of the same name and another kind, or another form of the
  ///   same policy; the removed policy stays until all of them are in force
  /// @param cause [Cause#GONE_FROM_FEED] or [Cause#REPLACED]
  /// @param inForce the successors that were found in force and that this run does not write
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

    /// Creates the removal of a policy that left the feed.
    public Remove(PolicyId id, ObjectVersion was, Set<PolicyId> successors) {
      this(id, was, successors, Cause.GONE_FROM_FEED, Set.of());
    }

    /// Returns the same removal with the current version of the object as its precondition.
    public Remove withVersion(ObjectVersion is) {
      return new Remove(id, is, successors, cause, inForce);
    }

    /// A policy at one generation. Another generation means another content.
    public record Generation(PolicyId id, String uid, long number) {
      public static Generation of(LivePolicy listed) {
        return new Generation(listed.id(), listed.objectVersion().uid(), listed.generation());
      }

      /// Returns whether the live policy is this generation and is not being deleted.
      public boolean is(LivePolicy there) {
        return !there.terminating() && equals(of(there));
      }
    }

    /// Returns whether the policy left the feed in every form. Only such removals count against the
    /// budget.
    public boolean isOfFeed() {
      return cause == Cause.GONE_FROM_FEED;
    }
  }

  enum Cause {
    NEW("new"),
    CHANGED("changed"),
    DRIFTED("drifted"),
    ADOPTED("adopted"),
    GONE_FROM_FEED("gone from feed"),
    /// The feed still has the policy, and another form of the policy is in force.
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
