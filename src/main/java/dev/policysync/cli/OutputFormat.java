package dev.policysync.cli;

import java.util.Locale;

/// How results are written.
public enum OutputFormat {
  /// Aligned and, on a terminal, coloured.
  TEXT,
  /// As text, with every changed field.
  DIFF,
  /// One document for each object.
  YAML,
  /// JSON, where it is what a job says, one object a line, the summary last.
  JSON,
  /// One row a finding, for spreadsheets.
  CSV,
  /// One page for a browser.
  HTML,
  /// The results format of static analysis, version 2.1.0 (<https://sarifweb.azurewebsites.net>).
  SARIF;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
