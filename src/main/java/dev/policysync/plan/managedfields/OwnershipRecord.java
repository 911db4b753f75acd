package dev.policysync.plan.managedfields;

/// The API server's record of who owns which field of one object, before anybody has looked into
/// it. Thousands are listed in every run, and few are looked into.
public interface OwnershipRecord {
  /// The record, to be judged by.
  FieldOwnership read();

  /// All of the record that such a judgement depends on, as a text: where it is the same as before,
  /// so is the judgement. When fields were written is no part of it, nor are status entries.
  String text();
}
