package dev.policysync.base.yaml;

import dev.policysync.base.Printable;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/// Writes a [Value] as readable YAML: block style, fields in their order, texts of several lines as
/// they are, no wrapped lines. A text is quoted if Kubernetes' tools or another reader of YAML 1.1
/// would read it as another type (`y`, `1e3`, `0o644`, `12:30:45`, `2024-01-01`). A text that is
/// not [Printable] is quoted, too, and written with escapes.
public final class YamlText {
  private static final Resolver YAML_1_1 = new Resolver();
  private static final String VALUE_KEY = "="; // a type of its own in YAML 1.1, as << is
  private static final ImplicitTuple NO_TAG = new ImplicitTuple(true, true);

  /// The commands to CI servers that [Printable] escapes.
  private static final Pattern COMMAND = Pattern.compile("(##[a-zA-Z]*)\\[");

  private static final Pattern COMMAND_LINE = Pattern.compile("^\\s*::", Pattern.MULTILINE);

  private final Emitter emitter;

  private YamlText(Emitter emitter) {
    this.emitter = emitter;
  }

  /// Writes a value as one document without `---`, ending in a line break.
  public static String write(Value value) {
    var text = new StringWriter();
    try {
      new YamlText(new Emitter(text, options())).document(value);
    } catch (IOException e) {
      throw new UncheckedIOException("in-memory write failed", e);
    }
    return withEscapes(text.toString());
  }

  /// Escapes the characters for which [#style] chose quotes. The emitter itself escapes only what
  /// YAML does not allow within quotes.
  private static String withEscapes(String yaml) {
    var printable = yaml;
    if (yaml.codePoints().anyMatch(YamlText::isEscaped)) {
      var text = new StringBuilder();
      yaml.codePoints()
          .forEach(character -> {
            if (isEscaped(character)) {
              text.append((character <= 0xffff ? "\\u%04x" : "\\U%08x").formatted(character));
            } else {
              text.appendCodePoint(character);
            }
          });
      printable = text.toString();
    }
    return COMMAND.matcher(printable).replaceAll("$1\\\\x5b");
  }

  private static DumperOptions options() {
    var options = new DumperOptions();
    options.setSplitLines(false);
    options.setMaxSimpleKeyLength(1_024);
    return options;
  }

  private void document(Value value) throws IOException {
    emit(new StreamStartEvent(null, null));
    emit(new DocumentStartEvent(null, null, false, null, Map.of()));
    node(value);
    emit(new DocumentEndEvent(null, null, false));
    emit(new StreamEndEvent(null, null));
  }

  private void node(Value value) throws IOException {
    switch (value) {
      case Value.Mapping(var fields) -> {
        emit(new MappingStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
        for (var field : fields.entrySet()) {
          text(field.getKey());
          node(field.getValue());
        }
        emit(new MappingEndEvent(null, null));
      }
      case Value.Sequence(var items) -> {
        emit(new SequenceStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
        for (var item : items) {
          node(item);
        }
        emit(new SequenceEndEvent(null, null));
      }
      case Value.Text(var text) -> text(text);
      case Value.Numeric(var literal) ->
          scalar(literal.equals("-0") ? "-0.0" : literal, ScalarStyle.PLAIN);
      case Value.Bool(var flag) -> scalar(Boolean.toString(flag), ScalarStyle.PLAIN);
      case Value.Null() -> scalar("null", ScalarStyle.PLAIN);
    }
  }

  private void text(String text) throws IOException {
    scalar(text, style(text));
  }

  /// Returns the style to request; the emitter adds quotes itself where the syntax requires them.
  private static ScalarStyle style(String text) {
    if (text.codePoints().anyMatch(YamlText::isInvisible)
        || COMMAND.matcher(text).find()
        || COMMAND_LINE.matcher(text).find()) {
      return ScalarStyle.DOUBLE_QUOTED;
    }
    if (text.indexOf('\n') >= 0) {
      return text.isBlank() ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.LITERAL;
    }
    var meansItself =
        PlainScalar.read(text) instanceof Scalar.Str
            && !text.equals(VALUE_KEY)
            && YAML_1_1.resolve(NodeId.scalar, text, true).equals(Tag.STR);
    return meansItself ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
  }

  private static boolean isInvisible(int character) {
    return character == '\u00A0' || isEscaped(character);
  }

  private static boolean isEscaped(int character) {
    return character != '\n' && character != '\t' && Printable.isControlOrInvisible(character);
  }

  private void scalar(String text, ScalarStyle style) throws IOException {
    emit(new ScalarEvent(null, null, NO_TAG, text, null, null, style));
  }

  private void emit(Event event) throws IOException {
    emitter.emit(event);
  }
}
