package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Matcher;

/// Translates a message with variables. The message is not part of the verdict: a message that
/// cannot be translated stays as written, without its braces, and a missing value is left out.
final class Message {
  private Message() {}

  /// Returns the message with the braces of its variables removed.
  static String plain(String message) {
    var text = message;
    while (Operand.VARIABLE.matcher(text).find()) {
      text =
          Operand.VARIABLE
              .matcher(text)
              .replaceAll(match -> Matcher.quoteReplacement(match.group(1).strip()));
    }
    return text;
  }

  /// Returns an expression for the message; empty if the message has no variables, or one of them
  /// cannot be translated.
  static Optional<Cel> expression(Value.Text message, Roots roots, Bindings.Names names) {
    var bindings = new Bindings(names);
    var parts = new ArrayList<String>();
    var matcher = Operand.VARIABLE.matcher(message.text());
    var end = 0;
    try {
      while (matcher.find()) {
        parts.add(Cel.quoted(message.text().substring(end, matcher.start())));
        var term = JmesPathTranslation.of(matcher.group(1).strip(), roots, bindings, message);
        var written =
            Cel.call("\"\"")
                .where(term.is(JsonType.NULL), Cel.call("json.marshal(dyn(" + term.text() + "))"));
        parts.add("(" + Cel.call(term.text()).where(term.is(JsonType.STRING), written) + ")");
        end = matcher.end();
      }
    } catch (Untranslatable _) {
      return Optional.empty();
    }
    if (end == 0) {
      return Optional.empty();
    }
    parts.add(Cel.quoted(message.text().substring(end)));
    parts.removeIf("\"\""::equals);
    return Optional.of(bindings.wrap(Cel.call(String.join(" + ", parts))));
  }
}
