package dev.policysync.report;

/// One result on one resource, in the form in which it waits in a [Strand] to be folded. What
/// occurs often is a number of [Names], a policy one of [ReportedPolicies].
///
/// @param page the page that brought it
/// @param twin the report that brought it, as [Twins] know it; 0 where none can make it stale
/// @param rule as the report has it
/// @param time in nanoseconds since 1970; 0 where it is not known
@SuppressWarnings("EnumOrdinal") // for as long as this process lives, they stay the same
record Entry(
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
    Message message) {
  private static final ReportResult[] RESULTS = ReportResult.values();
  private static final Severity[] SEVERITIES = Severity.values();
  private static final Category[] CATEGORIES = Category.values();

  void writeTo(Strand strand) {
    strand.number(page);
    strand.fixed(twin);
    strand.number(policy);
    strand.number(rule);
    strand.number(result.ordinal());
    strand.number(severity.ordinal());
    strand.number(category.ordinal());
    strand.fixed(time);
    strand.number(apiVersion);
    strand.number(kind);
    strand.number(namespace);
    strand.text(name);
    strand.text(uid);
    strand.number(message.cut() ? 1 : 0);
    strand.text(message.text());
  }

  static Entry readFrom(Strand.Reader reader) {
    return new Entry(
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
        message(reader.number() == 1, reader.text()));
  }

  private static Message message(boolean cut, String text) {
    return text.isEmpty() ? Message.NONE : new Message(text, cut);
  }
}
