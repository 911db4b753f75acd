package dev.policysync.report;

/// One result for one resource, as stored in a [SpillPartition] before deduplication. Frequent
/// texts are numbers of the [StringTable], policies numbers of the [ReportedPolicyTable].
///
/// @param page the number of the page with the report
/// @param staleKey the report's key in [StaleReportFilter]; 0 if no other report can make it stale
/// @param rule the rule's name in the report
/// @param time in nanoseconds since 1970; 0 if unknown
/// @param distinction the rest of the identity: a digest for other producers than Kyverno, else
///   empty
@SuppressWarnings("EnumOrdinal")
public // ordinals never change within a process
record SpilledResult(
    int page,
    long staleKey,
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
    spillPartition.fixed(staleKey);
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
