package dev.policysync.plan;

/// What to do with an expected policy whose name is taken by one that is not ours.
public enum Adoption {
  /// Leave it alone and report a conflict.
  NEVER,
  /// Take it over if applying would change nothing but our marks; else a conflict.
  IDENTICAL,
  /// Take it over. What another object made stays a conflict all the same.
  ALWAYS
}
