package dev.policysync.bench;

/// Tells whoever waits how far it is, on stderr.
final class BenchProgress {
  private BenchProgress() {}

  static void say(String line) {
    System.err.println(line);
  }

  /// Begins a line of figures.
  static void begin(Scenario scenario) {
    System.err.printf("%-20s", scenario.id());
    System.err.flush();
  }

  static void figure(Figures figures) {
    System.err.print("  " + Units.seconds(figures.wall()));
    System.err.flush();
  }

  static void end() {
    System.err.println();
  }
}
