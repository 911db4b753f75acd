package dev.policysync.report;

/// How many results of each kind there are, each thing once: a Pod is not counted where its
/// controller is.
public record ResultCounts(long pass, long fail, long warn, long error, long skip) {
  /// No results.
  public static final ResultCounts NONE = new ResultCounts(0, 0, 0, 0, 0);

  /// Those of one kind.
  public long of(ReportResult result) {
    return switch (result) {
      case PASS -> pass;
      case FAIL -> fail;
      case WARN -> warn;
      case ERROR -> error;
      case SKIP -> skip;
    };
  }

  /// As many as there are findings: fail, warn and error.
  public long findings() {
    return fail + warn + error;
  }

  /// All of them.
  public long total() {
    return findings() + pass + skip;
  }
}
