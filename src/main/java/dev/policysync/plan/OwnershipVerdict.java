package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
import java.util.Optional;

/// Who owns a live policy (promise 2).
public sealed interface OwnershipVerdict {
  /// The policy has our ownership annotations, and nothing contradicts them.
  record Ours() implements OwnershipVerdict {}

  /// The policy does not have our owned-by annotation.
  record Unowned() implements OwnershipVerdict {}

  /// Another object created the policy: it has an ownerReference.
  record Controlled() implements OwnershipVerdict {}

  /// The policy was copied from a policy of ours, with the annotations.
  record Copy(String original) implements OwnershipVerdict {}

  /// The agent of another organization or cluster applied the policy.
  record OtherSource(String source) implements OwnershipVerdict {}

  /// Decides from the annotations and the ownerReference, for an agent of this source.
  static OwnershipVerdict of(LivePolicy live, SourceName ours) {
    if (!live.annotation(OwnershipAnnotations.OWNED_BY)
        .equals(Optional.of(OwnershipAnnotations.OWNER))) {
      return new Unowned();
    }
    if (live.controlled()) {
      return new Controlled();
    }
    var original = live.annotation(OwnershipAnnotations.APPLIED).map(OwnershipVerdict::signatory);
    if (original.isPresent() && !original.get().equals(live.id().key())) {
      return new Copy(original.get().isEmpty() ? "an unnamed policy" : original.get());
    }
    var source = live.annotation(OwnershipAnnotations.SOURCE).orElse(ours.text());
    return source.equals(ours.text()) ? new Ours() : new OtherSource(source);
  }

  private static String signatory(String signature) {
    var end = signature.lastIndexOf('@');
    return end < 0 ? signature : signature.substring(0, end);
  }
}
