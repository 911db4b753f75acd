package dev.policysync.cli;

/// The program's version, as the build wrote it into the jar's manifest.
public final class ProgramVersion {
  private ProgramVersion() {}

  /// `0.1.0`, or `development` where the classes were not started from the jar.
  public static String text() {
    var version = ProgramVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /// The same for programs, with the Java that runs it.
  static String json() {
    return "{\"version\":\"%s\",\"java\":\"%s\",\"platform\":\"%s/%s\"}"
        .formatted(
            text(),
            Runtime.version(),
            System.getProperty("os.name", ""),
            System.getProperty("os.arch", ""));
  }
}
