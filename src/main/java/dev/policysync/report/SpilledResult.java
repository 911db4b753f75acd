package dev.policysync.report;

/// One result on one resource, in the form in which it waits in a [SpillPartition] to be folded.
/// What occurs often is a number of [StringTable], a policy one of [ReportedPolicyTable].
///
/// @param page the page that brought it
/// @param twin the report that brought it, as [StaleReportFilter] know it; 0 where none can make it
///   stale
/// @param rule as the report has it
/// @param time in nanoseconds since 1970; 0 where it is not known
/// @param distinction what else identifies it: a digest where another producer than Kyverno made
///   it, else empty
@SuppressWarnings("EnumOrdinal")
public // for as long as this process lives, they stay the same
record SpilledResult(
    int page,
    long twin,
    int policy,
    int rule,
    ReportResult result,
    Severity severity,
    Category category,
    long time,
    int apiVersion,
    int kind,
    int namespace,
    String name,
    String uid,
    String distinction,
    ResultMessage resultMessage) {
  private static final ReportResult[] RESULTS = ReportResult.values();
  private static final Severity[] SEVERITIES = Severity.values();
  private static final Category[] CATEGORIES = Category.values();

  public void writeTo(SpillPartition spillPartition) {
    spillPartition.number(page);
    spillPartition.fixed(twin);
    spillPartition.number(policy);
    spillPartition.number(rule);
    spillPartition.number(result.ordinal());
    spillPartition.number(severity.ordinal());
    spillPartition.number(category.ordinal());
    spillPartition.fixed(time);
    spillPartition.number(apiVersion);
    spillPartition.number(kind);
    spillPartition.number(namespace);
    spillPartition.text(name);
    spillPartition.text(uid);
    spillPartition.text(distinction);
    spillPartition.number(resultMessage.cut() ? 1 : 0);
    spillPartition.text(resultMessage.text());
  }

  static SpilledResult readFrom(SpillPartition.Reader reader) {
    return new SpilledResult(
        reader.index(),
        reader.fixed(),
        reader.index(),
        reader.index(),
        RESULTS[reader.index()],
        SEVERITIES[reader.index()],
        CATEGORIES[reader.index()],
        reader.fixed(),
        reader.index(),
        reader.index(),
        reader.index(),
        reader.text(),
        reader.text(),
        reader.text(),
        message(reader.number() == 1, reader.text()));
  }

  private static ResultMessage message(boolean cut, String text) {
    return text.isEmpty() ? ResultMessage.NONE : new ResultMessage(text, cut);
  }
}
