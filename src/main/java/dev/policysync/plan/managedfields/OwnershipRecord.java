package dev.policysync.plan.managedfields;

/// The API server's record of which manager owns which field of one object, not parsed yet. Every
/// run lists thousands of these records and reads few of them.
public interface OwnershipRecord {
  FieldOwnership read();

  /// Returns everything in the record that ownership depends on, as a text: while the text is
  /// unchanged, so is the ownership. The times of writes and the status entries are left out.
  String text();
}
