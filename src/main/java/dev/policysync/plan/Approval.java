package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.yaml.Value;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A person's consent to removals that a guard withholds (promise 4): it names one list of removals
/// by its digest, is used once, and is void after a day.
///
/// @param list the digest as the person gave it: `sha256:2c26…`
/// @param age how long ago it was given, by the API server's clock alone; empty where that cannot
///   be told, and then it is void
public record Approval(String list, Optional<Duration> age) {
  /// How long it stands.
  public static final Duration VALID = Duration.ofHours(24);

  /// What a person consents to: these removals, of these very objects, no more and no fewer. A
  /// policy that was created anew under its old name makes it another list.
  static Digest listOf(Collection<Action.Remove> removals) {
    List<Value> lines =
        removals.stream()
            .sorted(Comparator.comparing(Action.Remove::id))
            .<Value>map(removal -> new Value.Text(removal.id().key() + " " + removal.was().uid()))
            .toList();
    return Digest.of(new Value.Sequence(lines));
  }

  /// Why it does not stand for that list; empty where it does.
  Optional<String> objection(Digest wanted) {
    if (!list.equals(wanted.text())) {
      return Optional.of("the approval on the Lease is for another list");
    }
    if (age.isEmpty()) {
      return Optional.of("the approval on the Lease is void: nothing tells when it was given");
    }
    return age.get().compareTo(VALID) < 0
        ? Optional.empty()
        : Optional.of("the approval on the Lease is void: it was given more than 24 hours ago");
  }
}
