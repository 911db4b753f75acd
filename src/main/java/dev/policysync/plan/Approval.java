package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A person's consent to what a guard withholds (promise 4): it names one list by its digest, is
/// used once, and is void after a day.
///
/// @param of what it is a consent to; one to removals lets nothing begin to block, and the other
///   way round
/// @param list the digest as the person gave it: `sha256:2c26…`
/// @param age how long ago it was given, by the API server's clock alone; empty where that cannot
///   be told, and then it is void
public record Approval(Of of, String list, Optional<Duration> age) {
  /// How long it stands.
  public static final Duration VALID = Duration.ofHours(24);

  /// What a person can consent to.
  public enum Of {
    /// To removals.
    REMOVALS("the approval on the Lease"),
    /// To writes by which policies begin to block.
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

  /// What a person consents to: these removals, of these very objects, no more and no fewer. A
  /// policy that was created anew under its old name makes it another list.
  static Digest listOf(Collection<Action.Remove> removals) {
    return listOf(removals, removal -> removal.id().key() + " " + removal.was().uid());
  }

  /// What a person consents to: that these writes, of this very content to these very objects,
  /// begin to block.
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

  /// Why it does not stand for that list; empty where it does.
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
