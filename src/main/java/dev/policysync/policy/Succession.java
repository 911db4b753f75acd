package dev.policysync.policy;

import java.util.Optional;
import java.util.function.Function;

/// The relation of a successor to the policy of the feed that it replaces, because Kyverno 1.20 no
/// longer executes that legacy policy.
///
/// @param legacy the feed's policy, to which statuses, budgets and messages refer
/// @param stage how far the replacement has progressed
public record Succession(PolicyId legacy, Stage stage) {
  /// Reads the relation from the annotations of a live policy. It is part of the signature as well,
  /// so that a client that removes one annotation does not make a successor a policy in its own
  /// right.
  public static Optional<Succession> of(Function<String, Optional<String>> annotations) {
    var signature = annotations.apply(OwnershipAnnotations.APPLIED).orElse("");
    var signed = signature.split(" ", -1);
    return signed.length == 3
        ? PolicyId.ofKey(signed[2]).map(legacy -> of(signed[1], legacy))
        : of(OwnershipAnnotations.SUCCESSOR_OF, annotations)
            .or(() -> of(OwnershipAnnotations.REHEARSES, annotations));
  }

  private static Optional<Succession> of(
      String annotation, Function<String, Optional<String>> annotations) {
    return annotations.apply(annotation).flatMap(PolicyId::ofKey).map(id -> of(annotation, id));
  }

  private static Succession of(String annotation, PolicyId legacy) {
    var rehearses = annotation.equals(OwnershipAnnotations.REHEARSES);
    return new Succession(legacy, rehearses ? Stage.REHEARSAL : Stage.REPLACEMENT);
  }

  public boolean rehearses() {
    return stage == Stage.REHEARSAL;
  }

  /// Returns the annotation that contains the key of the legacy policy.
  public String annotation() {
    return stage.annotation;
  }

  /// Returns the end of a successor's signature: `policysync.dev/successor-of
  /// ClusterPolicy.kyverno.io/team`.
  public String signed() {
    return " " + stage.annotation + " " + legacy.key();
  }

  /// How far a successor has replaced the legacy policy.
  public enum Stage {
    /// The successor only audits, beside the legacy policy, until reports show that both give the
    /// same results.
    REHEARSAL("in rehearsal", OwnershipAnnotations.REHEARSES),
    /// The successor does what the legacy policy does. The legacy policy stays until Kyverno
    /// executes the successor.
    SIDE_BY_SIDE("side by side", OwnershipAnnotations.SUCCESSOR_OF),
    /// Only the successor is expected. The legacy policy is removed if it still exists.
    REPLACEMENT("replaced", OwnershipAnnotations.SUCCESSOR_OF);

    private final String text;
    private final String annotation;

    Stage(String text, String annotation) {
      this.text = text;
      this.annotation = annotation;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
