package dev.policysync.policy;

/// How much of this machine's memory the process may fill with objects.
///
/// @param bytes of them, a little less than `-Xmx` says: a part is needed to move objects to
public record Heap(long bytes) {
  private static final long MEBIBYTE = 1 << 20;

  /// This process's.
  public static Heap ofThisProcess() {
    return new Heap(Runtime.getRuntime().maxMemory());
  }

  /// What to do about a heap that is too small, with the number that it takes.
  ///
  /// @param needed in bytes
  public static String raisedTo(long needed) {
    var step = 64 * MEBIBYTE;
    var least = (needed + step - 1) / step * 64;
    return "give it more with POLICY_SYNC_JAVA_OPTIONS=-Xmx"
        + least
        + "m, in the chart with javaOptions and a memory limit to match";
  }

  /// The same with twice the size.
  public String doubled() {
    return raisedTo(2 * bytes);
  }

  /// `124 MiB`.
  @Override
  public String toString() {
    return mebibytes(bytes);
  }

  /// A size as people read it, rounded up: `124 MiB`.
  public static String mebibytes(long bytes) {
    return (bytes + MEBIBYTE - 1) / MEBIBYTE + " MiB";
  }
}
