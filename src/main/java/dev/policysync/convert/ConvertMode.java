package dev.policysync.convert;

/// What a sync does with policies that Kyverno 1.20 no longer executes (legacy policies).
public enum ConvertMode {
  /// Leaves legacy policies as they are, and says nothing about them.
  OFF,
  /// Leaves legacy policies as they are; the summary says what each would become.
  PREVIEW,
  /// Replaces legacy policies with their successors.
  APPLY
}
