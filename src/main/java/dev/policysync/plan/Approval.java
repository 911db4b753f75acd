package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A person's approval of actions that a guard withholds (promise 4). An approval names one list by
/// its digest, is used once, and is void after a day.
///
/// @param of the kind of action that is approved; an approval of removals does not cover stricter
///   policies, nor the reverse
/// @param list the digest as the person gave it: `sha256:2c26…`
/// @param age the time since the approval was given, by the API server's clock; if it is unknown
///   (empty), the approval is void
public record Approval(Of of, String list, Optional<Duration> age) {
  /// How long an approval is valid.
  public static final Duration VALID = Duration.ofHours(24);

  public enum Of {
    REMOVALS("the approval on the Lease"),
    /// Writes of stricter policies.
    ENFORCEMENT("the enforcement approval on the Lease");

    private final String text;

    Of(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /// Returns the digest of exactly these removals of exactly these objects. If a policy was deleted
  /// and created again, the digest differs.
  static Digest listOf(Collection<Action.Remove> removals) {
    return listOf(removals, removal -> removal.id().key() + " " + removal.was().uid());
  }

  /// Returns the digest of these writes of stricter policies: exactly this content, written to
  /// exactly these objects.
  static Digest enforcing(Collection<Action> writes) {
    return listOf(writes, Approval::enforcing);
  }

  private static String enforcing(Action action) {
    var what =
        switch (action) {
          case Action.Write write ->
              write.desired().digest() + " " + write.seen().map(ObjectVersion::uid).orElse("new");
          case Action.Remove removal -> "removed " + removal.was().uid();
        };
    return "enforcing " + action.id().key() + " " + what;
  }

  private static <A extends Action> Digest listOf(Collection<A> actions, Function<A, String> line) {
    List<Value> lines =
        actions.stream()
            .sorted(Comparator.comparing(Action::id))
            .<Value>map(action -> new Value.Text(line.apply(action)))
            .toList();
    return Digest.of(new Value.Sequence(lines));
  }

  /// Returns why this approval does not cover the given list; empty if it does.
  Optional<String> objection(Digest wanted) {
    if (!list.equals(wanted.text())) {
      return Optional.of(of + " is for a different list");
    }
    if (age.isEmpty()) {
      return Optional.of(of + " is invalid: the time of the approval is unknown");
    }
    return age.get().compareTo(VALID) < 0
        ? Optional.empty()
        : Optional.of(of + " has expired: it was given more than 24 hours ago");
  }
}
