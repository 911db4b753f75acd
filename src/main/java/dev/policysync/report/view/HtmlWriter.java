package dev.policysync.report.view;

import dev.policysync.base.Printable;
import java.io.IOException;
import java.io.Writer;

/// Writes HTML. Whatever comes from the cluster goes through [#text], which lets no character
/// through that means something in an element or between quotes, or is not [Printable].
final class HtmlWriter {
  private final Writer out;

  HtmlWriter(Writer out) {
    this.out = out;
  }

  /// Markup of our own.
  HtmlWriter raw(String markup) throws IOException {
    out.write(markup);
    return this;
  }

  /// Anybody's text, in an element or a quoted attribute.
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

  /// A second, quieter line; nothing where there is no text.
  HtmlWriter below(String text) throws IOException {
    return text.isEmpty() ? this : raw("<span class=\"below\">").text(text).raw("</span>");
  }

  /// An address to follow, shown as it is: a page that is mailed should hide no destination. It
  /// opens apart, and is not told where it was followed from.
  ///
  /// @param address an https one, as a policy's annotation has it
  HtmlWriter link(String address) throws IOException {
    return raw("<a target=\"_blank\" rel=\"noopener noreferrer\" href=\"")
        .text(address)
        .raw("\">")
        .text(address)
        .raw("</a>");
  }

  /// For what writes JSON.
  Writer writer() {
    return out;
  }
}
