package dev.policysync.convert;

/// What a sync does about policies that Kyverno 1.20 no longer executes.
public enum ConvertMode {
  /// It leaves them as they are, and says nothing.
  OFF,
  /// The same, and its summary says what each would become.
  PREVIEW,
  /// It puts successors in their place.
  APPLY
}
