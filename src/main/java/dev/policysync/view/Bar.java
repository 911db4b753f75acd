package dev.policysync.view;

import dev.policysync.report.Counts;
import java.io.IOException;
import java.util.Locale;

/// A bar of counts, drawn by attributes that need no inline style. What it shows is always written
/// beside it in figures, so those who do not see it miss nothing.
final class Bar {
  private static final double LENGTH = 100;

  private final Html html;
  private final double unit;
  private double end;

  private Bar(Html html, long full) {
    this.html = html;
    this.unit = full == 0 ? 0 : LENGTH / full;
  }

  /// All results; the whole bar is all of them.
  static void ofResults(Html html, Counts counts) throws IOException {
    var bar = new Bar(html, counts.total()).begin().findings(counts);
    bar.part("pass", counts.pass()).part("skipped", counts.skip()).end();
  }

  /// Findings only.
  ///
  /// @param full how many findings fill the bar
  static void ofFindings(Html html, Counts counts, long full) throws IOException {
    new Bar(html, full).begin().findings(counts).end();
  }

  private Bar begin() throws IOException {
    html.raw(
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    return this;
  }

  private Bar findings(Counts counts) throws IOException {
    return part("fail", counts.fail()).part("error", counts.error()).part("warn", counts.warn());
  }

  private Bar part(String name, long count) throws IOException {
    if (count > 0) {
      html.raw("<rect class=\"")
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
    html.raw("</svg>");
  }

  private static String figure(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }
}
