package dev.policysync.base;

/// The maximum size of the heap of a process.
///
/// @param bytes a little less than `-Xmx`, because the garbage collector needs some room to move
///   objects
public record HeapBudget(long bytes) {
  private static final long MEBIBYTE = 1 << 20;

  public static HeapBudget ofThisProcess() {
    return new HeapBudget(Runtime.getRuntime().maxMemory());
  }

  /// Returns the advice for a heap that is too small: the setting and the `-Xmx` value, rounded up
  /// to a multiple of 64 MiB.
  ///
  /// @param needed the required heap in bytes
  public static String adviceToRaiseTo(long needed) {
    var step = 64 * MEBIBYTE;
    var least = (needed + step - 1) / step * 64;
    return "increase the heap with POLICY_SYNC_JAVA_OPTIONS=-Xmx"
        + least
        + "m (chart: javaOptions, with a matching memory limit)";
  }

  /// Returns the advice to double this heap.
  public String adviceToDouble() {
    return adviceToRaiseTo(2 * bytes);
  }

  /// Returns the size for messages: `123.8 MiB`.
  @Override
  public String toString() {
    return size(bytes);
  }

  /// Formats a number of bytes for messages: `70.2 MiB`.
  public static String size(long bytes) {
    var tenths = bytes * 10 / MEBIBYTE;
    return bytes < MEBIBYTE ? bytes + " bytes" : tenths / 10 + "." + tenths % 10 + " MiB";
  }
}
