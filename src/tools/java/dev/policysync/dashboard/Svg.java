package dev.policysync.dashboard;

import java.util.Locale;

/// The few elements of SVG that a dashboard is drawn of.
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /// Adds an element, or several; numbers are written with a point in every language.
  @SuppressWarnings("AnnotateFormatMethod") // the annotation's library is no dependency of ours
  Svg add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  /// Adds a text of that class, shortened to that many characters.
  Svg text(String style, double x, double y, String words, int longest) {
    var shown = words.length() > longest ? words.substring(0, longest - 1) + "…" : words;
    return add(
        "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\">%s</text>",
        style, x, y, shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
  }

  Svg text(String style, double x, double y, String words) {
    return text(style, x, y, words, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
