package dev.policysync.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.report.FakeFindings;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.io.IOException;
import java.io.Writer;
import org.junit.jupiter.api.Test;

/// However many findings there are, few of them are in memory: they are written while they come.
class FlowTest {
  private static final int MANY = 20_000;

  /// Characters of the shortest form of a finding, and how many a view may keep back.
  private static final long SHORTEST = 100;

  private static final long KEPT_BACK = 20_000;

  private final Gauge out = new Gauge();

  /// Forgets what it is given, but for how much it was.
  private static final class Gauge extends Writer {
    private long length;

    @Override
    public void write(char[] text, int from, int many) {
      length += many;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void writesTheDocumentWhileFindingsCome() throws IOException {
    FindingsJson.write(many(), ViewSamples.CONTEXT, out);

    assertThat(out.length).isGreaterThan(MANY * SHORTEST);
  }

  @Test
  void writesRowsWhileFindingsCome() throws IOException {
    FindingsCsv.write(many(), ViewSamples.CONTEXT, out);

    assertThat(out.length).isGreaterThan(MANY * SHORTEST);
  }

  @Test
  void writesThePageWhileFindingsCome() throws IOException {
    FindingsPage.write(many(), ViewSamples.CONTEXT, out);

    assertThat(out.length).isGreaterThan(MANY * SHORTEST);
  }

  private Findings many() {
    var some = ViewSamples.ordinary(100);
    return new FakeFindings(
        some.totals(), some.statistics(), some.sizes(), MANY, number -> next(some, number));
  }

  private Finding next(FakeFindings some, int number) {
    assertThat(out.length)
        .as("characters written when finding %d is asked for", number)
        .isGreaterThanOrEqualTo(number * SHORTEST - KEPT_BACK);
    return some.finding().apply(number % 100);
  }
}
