package dev.policysync.cli;

/// How results are written.
public enum OutputFormat {
  /// Aligned and, on a terminal, coloured.
  TEXT,
  /// As text, with every changed field.
  DIFF,
  /// One JSON object a line, the summary last.
  JSON
}
