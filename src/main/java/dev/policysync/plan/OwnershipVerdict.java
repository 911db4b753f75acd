package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
import java.util.Optional;

/// Whose a live policy is (promise 2).
public sealed interface OwnershipVerdict {
  /// It carries our mark, and nothing speaks against it.
  record Ours() implements OwnershipVerdict {}

  /// It does not carry the owned-by annotation.
  record Unowned() implements OwnershipVerdict {}

  /// Another object made it: it has an ownerReference.
  record Controlled() implements OwnershipVerdict {}

  /// It was copied from a policy of ours, marks and all.
  record Copy(String original) implements OwnershipVerdict {}

  /// Another organization's or cluster's agent applied it.
  record OtherSource(String source) implements OwnershipVerdict {}

  /// Judges by the marks alone, for an agent of that source.
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
