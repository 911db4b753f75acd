package dev.policysync.policy;

import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/// Builds the value of one document from SnakeYAML's events, as sigs.k8s.io/yaml 1.6.0 reads it.
///
/// Events rather than SnakeYAML's nodes: a value replaces its node at once, so a list of thousands
/// of policies in one document costs no second tree, and an alias shares the value that it stands
/// for.
final class DocumentReader {
  private static final int DEEPEST = 100;
  private static final String MERGE_TAG = "tag:yaml.org,2002:merge";

  private static final LoaderOptions OPTIONS = new LoaderOptions();

  static {
    OPTIONS.setCodePointLimit(Integer.MAX_VALUE); // the source caps the feed as a whole
  }

  private static final Pattern INDENTED = Pattern.compile("[|>][+-]?[1-9][+-]?\\s*(#.*)?$");

  private final Parser parser;
  private final SectionText section;
  private final Map<String, String> names;
  private Anchors anchors = new Anchors();
  private Places places = new Places();
  private int height;
  private @Nullable MappingFields root;

  /// Reads the documents of a section, usually one.
  ///
  /// @param names field names seen so far in the stream, which are kept once
  DocumentReader(SectionText section, Map<String, String> names) {
    this.parser = new ParserImpl(new StreamReader(section.text()), OPTIONS);
    this.section = section;
    this.names = names;
  }

  /// Whether there is another document.
  boolean hasNext() throws YamlProblem {
    return reading(() -> {
      if (parser.checkEvent(Event.ID.StreamStart)) {
        parser.getEvent();
      }
      return !parser.checkEvent(Event.ID.StreamEnd);
    });
  }

  /// Reads the next document, whose number in the stream is `number`. What follows it must be the
  /// end of the text or another document: a mapping that ends early is not half a policy.
  YamlDocument.Sound next(int number) throws YamlProblem {
    return reading(() -> {
      parser.getEvent();
      anchors = new Anchors();
      places = new Places();
      root = null;
      var start = place(parser.peekEvent());
      var value = node(Noted.WITH_CHILDREN, 0);
      parser.getEvent();
      parser.peekEvent();
      return new YamlDocument.Sound(number, value, start, places);
    });
  }

  /// What was read of the document's own fields before a problem.
  Value.Mapping readSoFar() {
    return root == null ? Value.Mapping.EMPTY : root.mapping();
  }

  private interface Reading<T> {
    T read() throws YamlProblem;
  }

  private <T> T reading(Reading<T> reading) throws YamlProblem {
    try {
      return reading.read();
    } catch (YAMLException e) {
      throw SyntaxProblem.of(e, section);
    } catch (NumberFormatException e) {
      throw new YamlProblem(
          "an escape (\\x, \\u or \\U) in quoted text names no character", section.start());
    }
  }

  private Value node(Noted noted, int depth) throws YamlProblem {
    var event = parser.getEvent();
    var place = place(event);
    if (depth > DEEPEST) {
      throw tooDeep(place);
    }
    anchors.count();
    height = 0;
    var value =
        event instanceof AliasEvent alias
            ? copy(alias, depth)
            : original((NodeEvent) event, noted, depth);
    if (noted != Noted.NO) {
      places.put(value, place);
    }
    return value;
  }

  private Value copy(AliasEvent alias, int depth) throws YamlProblem {
    var place = place(alias);
    var anchor = anchors.copy(alias.getAnchor(), place);
    if (depth + anchor.height() > DEEPEST) {
      throw tooDeep(place);
    }
    height = anchor.height();
    return anchor.value();
  }

  private Value original(NodeEvent event, Noted noted, int depth) throws YamlProblem {
    var anchor = anchors.open(event.getAnchor(), place(event));
    var before = anchors.size() - 1;
    var value =
        switch (event) {
          case ScalarEvent scalar -> scalar(scalar);
          case SequenceStartEvent _ -> sequence(noted, depth);
          case MappingStartEvent _ -> mapping(noted, depth);
          default -> throw new IllegalStateException("not a node: " + event.getEventId());
        };
    if (event instanceof ScalarEvent scalar) {
      anchor.close(value, scalar);
    } else {
      anchor.close(value, anchors.size() - before, height);
    }
    return value;
  }

  private Value scalar(ScalarEvent event) throws YamlProblem {
    if (hasHalfCharacter(event.getValue())) {
      throw new YamlProblem(
          "an escape (\\u) in quoted text names half a character; write both halves", place(event));
    }
    if (beginsWithTab(event)
        && !INDENTED.matcher(section.restOfLine(event.getStartMark())).find()) {
      throw new YamlProblem(
          "a tab begins the first line of a block text; use spaces", place(event));
    }
    var value = resolved(event).value();
    if (value.isEmpty()) {
      throw new YamlProblem(
          "infinity or 'not a number', which JSON cannot say; quote it if it is text",
          place(event));
    }
    return value.get();
  }

  private Value sequence(Noted noted, int depth) throws YamlProblem {
    var items = new ArrayList<Value>();
    int highest = 0;
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(noted.item(), depth + 1));
      highest = Math.max(highest, height + 1);
    }
    parser.getEvent();
    height = highest;
    return new Value.Sequence(items);
  }

  private Value mapping(Noted noted, int depth) throws YamlProblem {
    var fields = new MappingFields();
    if (depth == 0) {
      root = fields;
    }
    int highest = 0;
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      var key = parser.getEvent();
      if (isMerge(key)) {
        merge(fields, place(key), noted, depth);
      } else {
        var name = name(key);
        fields.put(name, node(noted.field(name), depth + 1), place(key));
      }
      highest = Math.max(highest, height + 1);
    }
    parser.getEvent();
    height = highest;
    return fields.mapping();
  }

  private void merge(MappingFields fields, Place place, Noted noted, int depth) throws YamlProblem {
    var shared = parser.checkEvent(Event.ID.Alias);
    var value = node(noted, depth + 1);
    if (shared && !(value instanceof Value.Mapping)) {
      throw MappingFields.notMergeable(place);
    }
    fields.merge(value, place);
  }

  private static boolean isMerge(Event key) {
    return key instanceof ScalarEvent scalar
        && scalar.getValue().equals("<<")
        && (scalar.getImplicit().canOmitTagInPlainScalar() || MERGE_TAG.equals(scalar.getTag()));
  }

  private String name(Event key) throws YamlProblem {
    var place = place(key);
    anchors.count();
    var scalar =
        switch (key) {
          case ScalarEvent written -> written;
          case AliasEvent alias -> anchors.copy(alias.getAnchor(), place).scalar();
          default -> null;
        };
    if (scalar == null) {
      throw new YamlProblem(
          "a mapping or a list where a key is expected; quote text that begins with a brace",
          place);
    }
    if (key instanceof ScalarEvent && hugsBracket(scalar)) {
      throw new YamlProblem(
          "a colon right before a bracket or comma; put a space after it, or quote the text",
          place);
    }
    var resolved = resolved(scalar);
    var name = resolved.key();
    if (name.isEmpty()) {
      throw new YamlProblem("null, or too large a number, as a key; quote it", place);
    }
    if (key instanceof ScalarEvent && scalar.getAnchor() != null) {
      var anchor = anchors.open(scalar.getAnchor(), place);
      resolved.value().ifPresent(value -> anchor.close(value, scalar));
    }
    return names.computeIfAbsent(name.get(), same -> same);
  }

  private Scalar resolved(ScalarEvent event) throws YamlProblem {
    var scalar = ScalarReader.read(event);
    if (scalar.isEmpty()) {
      throw new YamlProblem(
          "a value that does not fit its tag (such as !!int, !!bool, !!binary)", place(event));
    }
    return scalar.get();
  }

  /// Whether a key without quotes goes on as in `[a:]` or `{a:[1]}`: to Go's reader the colon is
  /// part of the text there, to SnakeYAML it ends the key.
  private boolean hugsBracket(ScalarEvent key) {
    return key.isPlain()
        && section.codePoint(key.getEndMark(), 0) == ':'
        && ",[]{}".indexOf(section.codePoint(key.getEndMark(), 1)) >= 0;
  }

  private static boolean beginsWithTab(ScalarEvent event) {
    return (event.isLiteral() || event.isFolded())
        && event.getValue().replace("\n", "").startsWith("\t");
  }

  private static boolean hasHalfCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        var whole =
            Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!whole) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private Place place(Event event) {
    return section.place(event.getStartMark());
  }

  private static YamlProblem tooDeep(Place place) {
    return new YamlProblem("nested deeper than " + DEEPEST + " levels", place);
  }
}
