package dev.policysync.report.view;

import dev.policysync.report.ResultCounts;
import java.io.IOException;
import java.util.Locale;

/// A bar of counts, drawn by attributes that need no inline style. What it shows is always written
/// beside it in figures, so those who do not see it miss nothing.
final class BarChart {
  private static final double LENGTH = 100;

  private final HtmlWriter htmlWriter;
  private final double unit;
  private double end;

  private BarChart(HtmlWriter htmlWriter, long full) {
    this.htmlWriter = htmlWriter;
    this.unit = full == 0 ? 0 : LENGTH / full;
  }

  /// All results; the whole bar is all of them.
  static void ofResults(HtmlWriter htmlWriter, ResultCounts resultCounts) throws IOException {
    var barChart = new BarChart(htmlWriter, resultCounts.total()).begin().findings(resultCounts);
    barChart.part("pass", resultCounts.pass()).part("skipped", resultCounts.skip()).end();
  }

  /// Findings only.
  ///
  /// @param full how many findings fill the bar
  static void ofFindings(HtmlWriter htmlWriter, ResultCounts resultCounts, long full)
      throws IOException {
    new BarChart(htmlWriter, full).begin().findings(resultCounts).end();
  }

  private BarChart begin() throws IOException {
    htmlWriter.raw(
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    return this;
  }

  private BarChart findings(ResultCounts resultCounts) throws IOException {
    return part("fail", resultCounts.fail())
        .part("error", resultCounts.error())
        .part("warn", resultCounts.warn());
  }

  private BarChart part(String name, long count) throws IOException {
    if (count > 0) {
      htmlWriter
          .raw("<rect class=\"")
          .raw(name)
          .raw("\" x=\"")
          .raw(figure(end))
          .raw("\" width=\"")
          .raw(figure(count * unit))
          .raw("\" height=\"8\"/>");
      end += count * unit;
    }
    return this;
  }

  private void end() throws IOException {
    htmlWriter.raw("</svg>");
  }

  private static String figure(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }
}
