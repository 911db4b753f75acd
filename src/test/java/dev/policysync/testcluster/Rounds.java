package dev.policysync.testcluster;

/// How long a test plays that would find more the longer it plays: for as long as fits into every
/// build, or in `make torture` at length.
public final class Rounds {
  private Rounds() {}

  /// One of the two.
  public static int of(int inEveryBuild, int atLength) {
    return isTorture() ? atLength : inEveryBuild;
  }

  public static boolean isTorture() {
    return Boolean.getBoolean("policysync.torture");
  }
}
