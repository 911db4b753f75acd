package dev.policysync.report.view;

import dev.policysync.report.ResultCounts;
import java.io.IOException;
import java.util.Locale;

/// A bar chart of counts, drawn with SVG attributes, because the page allows no inline styles. The
/// counts are always written beside it, so screen readers lose nothing.
final class BarChart {
  private static final double LENGTH = 100;

  private final HtmlWriter htmlWriter;
  private final double unit;
  private double end;

  private BarChart(HtmlWriter htmlWriter, long full) {
    this.htmlWriter = htmlWriter;
    this.unit = full == 0 ? 0 : LENGTH / full;
  }

  static void ofResults(HtmlWriter htmlWriter, ResultCounts resultCounts) throws IOException {
    var barChart = new BarChart(htmlWriter, resultCounts.total()).begin().findings(resultCounts);
    barChart.part("pass", resultCounts.pass()).part("skipped", resultCounts.skip()).end();
  }

  /// Writes a bar of findings.
  ///
  /// @param full the number of findings that fill the bar
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
