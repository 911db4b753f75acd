package dev.policysync.cli;

/// The program's version, which the build writes into the jar's manifest.
public final class ProgramVersion {
  private ProgramVersion() {}

  /// Returns the version, e.g. `0.1.0`, or `development` if the classes were not loaded from the
  /// jar.
  public static String text() {
    var version = ProgramVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /// Returns the version as JSON, with the Java version and the platform.
  static String json() {
    return "{\"version\":\"%s\",\"java\":\"%s\",\"platform\":\"%s/%s\"}"
        .formatted(
            text(),
            Runtime.version(),
            System.getProperty("os.name", ""),
            System.getProperty("os.arch", ""));
  }
}
