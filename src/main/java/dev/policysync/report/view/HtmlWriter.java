package dev.policysync.report.view;

import dev.policysync.base.Printable;
import java.io.IOException;
import java.io.Writer;

/// Writes HTML. All text from the cluster must go through [#text], which escapes every character
/// with a meaning in elements or attributes and removes those that are not [Printable].
final class HtmlWriter {
  private final Writer out;

  HtmlWriter(Writer out) {
    this.out = out;
  }

  /// Writes trusted markup.
  HtmlWriter raw(String markup) throws IOException {
    out.write(markup);
    return this;
  }

  /// Writes untrusted text, in an element or a quoted attribute.
  HtmlWriter text(String text) throws IOException {
    var printable = Printable.withoutCommands(Printable.lines(text));
    for (var i = 0; i < printable.length(); i++) {
      var character = printable.charAt(i);
      switch (character) {
        case '&' -> out.write("&amp;");
        case '<' -> out.write("&lt;");
        case '>' -> out.write("&gt;");
        case '"' -> out.write("&quot;");
        case '\'' -> out.write("&#39;");
        default -> out.write(character);
      }
    }
    return this;
  }

  /// Writes a second, less prominent line, unless the text is empty.
  HtmlWriter below(String text) throws IOException {
    return text.isEmpty() ? this : raw("<span class=\"below\">").text(text).raw("</span>");
  }

  /// Writes a link with its address as the text, so that a page sent by mail hides no destination.
  /// It opens in a new tab without a referrer.
  ///
  /// @param address an https address from a policy's annotation
  HtmlWriter link(String address) throws IOException {
    return raw("<a target=\"_blank\" rel=\"noopener noreferrer\" href=\"")
        .text(address)
        .raw("\">")
        .text(address)
        .raw("</a>");
  }

  Writer writer() {
    return out;
  }
}
