package dev.policysync.cli;

import java.util.Locale;

/// The format of results.
public enum OutputFormat {
  /// Aligned text, coloured on a terminal.
  TEXT,
  /// Text with every changed field.
  DIFF,
  /// One YAML document per object.
  YAML,
  /// One JSON document. In the log of a job, one object per line, the summary last.
  JSON,
  /// One row per finding, for spreadsheets.
  CSV,
  /// One HTML page for a browser.
  HTML,
  /// The Static Analysis Results Interchange Format, version 2.1.0
  /// (<https://sarifweb.azurewebsites.net>).
  SARIF;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
