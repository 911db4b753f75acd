package dev.policysync.sync;

/// Whose a live policy is (promise 2).
sealed interface Claim {
  /// It carries our mark, and nothing speaks against it.
  record Ours() implements Claim {}

  /// It does not carry the owned-by annotation.
  record Unowned() implements Claim {}

  /// Another object made it: it has an ownerReference.
  record Controlled() implements Claim {}

  /// It was copied from a policy of ours, marks and all.
  record Copy(String original) implements Claim {}

  /// Another organization's or cluster's agent applied it.
  record OtherSource(String source) implements Claim {}

  /// Judges by the marks alone, for an agent of that source.
  static Claim of(LivePolicy live, SourceName ours) {
    if (!live.annotation(Marks.OWNED_BY).equals(java.util.Optional.of(Marks.OWNER))) {
      return new Unowned();
    }
    if (live.controlled()) {
      return new Controlled();
    }
    var signature = live.annotation(Marks.APPLIED).orElse("");
    var original =
        signature.contains("@") ? signature.substring(0, signature.lastIndexOf('@')) : signature;
    if (!original.isEmpty() && !original.equals(live.id().key())) {
      return new Copy(original);
    }
    var source = live.annotation(Marks.SOURCE).orElse(ours.text());
    return source.equals(ours.text()) ? new Ours() : new OtherSource(source);
  }
}
