package dev.policysync.report;

/// The number of deduplicated results, by result. A Pod whose result is merged into its
/// controller's is not counted.
public record ResultCounts(long pass, long fail, long warn, long error, long skip) {
  public static final ResultCounts NONE = new ResultCounts(0, 0, 0, 0, 0);

  public long of(ReportResult result) {
    return switch (result) {
      case PASS -> pass;
      case FAIL -> fail;
      case WARN -> warn;
      case ERROR -> error;
      case SKIP -> skip;
    };
  }

  /// Returns the number of findings: fail, warn and error.
  public long findings() {
    return fail + warn + error;
  }

  public long total() {
    return findings() + pass + skip;
  }
}
