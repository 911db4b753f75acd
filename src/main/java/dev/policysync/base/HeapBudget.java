package dev.policysync.base;

/// How much of this machine's memory the process may fill with objects.
///
/// @param bytes of them, a little less than `-Xmx` says: a part is needed to move objects to
public record HeapBudget(long bytes) {
  private static final long MEBIBYTE = 1 << 20;

  /// This process's.
  public static HeapBudget ofThisProcess() {
    return new HeapBudget(Runtime.getRuntime().maxMemory());
  }

  /// What to do about a heap that is too small, with the number that it takes.
  ///
  /// @param needed in bytes
  public static String raisedTo(long needed) {
    var step = 64 * MEBIBYTE;
    var least = (needed + step - 1) / step * 64;
    return "increase the heap with POLICY_SYNC_JAVA_OPTIONS=-Xmx"
        + least
        + "m (chart: javaOptions, with a matching memory limit)";
  }

  /// The same with twice the size.
  public String doubled() {
    return raisedTo(2 * bytes);
  }

  /// `123.8 MiB`.
  @Override
  public String toString() {
    return size(bytes);
  }

  /// A number of bytes as people read it: `70.2 MiB`.
  public static String size(long bytes) {
    var tenths = bytes * 10 / MEBIBYTE;
    return bytes < MEBIBYTE ? bytes + " bytes" : tenths / 10 + "." + tenths % 10 + " MiB";
  }
}
