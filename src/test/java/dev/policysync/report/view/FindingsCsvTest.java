package dev.policysync.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.report.Category;
import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.Finding;
import dev.policysync.report.ReportResult;
import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Resource;
import dev.policysync.report.ResultMessage;
import dev.policysync.report.Severity;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindingsCsvTest {
  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"})
  void leavesNoFormulaToASpreadsheet(String formula) throws IOException {
    assertThat(message(formula)).matches("\"?'[\\s\\S]*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=1", "1-1", "'", "plain"})
  void leavesOtherTextAsItIs(String text) throws IOException {
    assertThat(message(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a;b", "a\tb", "a\nb", "a\rb"})
  void quotesWhatCouldEndACell(String text) throws IOException {
    assertThat(message(text)).isEqualTo("\"" + text + "\"");
  }

  /// The cell between a resource's uid and whether it was cut.
  private static String message(String text) throws IOException {
    var finding =
        new Finding(
            new ReportedPolicy("kyverno", "p", Optional.empty(), "p", "", "", Optional.empty()),
            "r",
            ReportResult.FAIL,
            Severity.LOW,
            Category.SECURITY,
            new Resource("v1", "Pod", "shop", "cart", "uid-1"),
            ResultMessage.of(text),
            Optional.empty(),
            0);
    var out = new StringWriter();
    FindingsCsv.write(
        FakeFindings.of(List.of(finding), Map.of(), CollectionStatistics.NONE, Map.of()),
        ViewSamples.CONTEXT,
        out);
    var row = out.toString();
    return row.substring(
        row.indexOf("uid-1,") + "uid-1,".length(),
        row.indexOf(",false,,0,2026-11-21T19:40:07Z,,\r\n"));
  }
}
