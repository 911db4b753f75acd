package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
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
/// The reader uses SnakeYAML's events rather than its nodes. Each value is built directly, so a
/// list of thousands of policies in one document needs no second tree, and an alias shares the
/// value that it refers to.
final class DocumentReader {
  private static final int DEEPEST = 200;
  private static final String MERGE_TAG = "tag:yaml.org,2002:merge";

  private static final LoaderOptions OPTIONS = new LoaderOptions();

  static {
    OPTIONS.setCodePointLimit(Integer.MAX_VALUE); // the policy source limits the whole feed
  }

  private final Parser parser;
  private final SectionText section;
  private final ScalarReader scalars;
  private final Map<String, String> names;
  private final LocationDetail locationDetail;
  private final long mostNodes;
  private Anchors anchors;
  private NodeLocations nodeLocations = new NodeLocations();
  private int height;
  private @Nullable MappingBuilder root;

  /// Creates a reader for the documents of a section, usually one.
  ///
  /// @param names the field names seen so far in the stream, so that equal names are stored once
  /// @param locationDetail which locations are recorded
  /// @param mostNodes the maximum number of nodes in each document
  DocumentReader(
      SectionText section,
      Map<String, String> names,
      LocationDetail locationDetail,
      long mostNodes) {
    this.parser = new ParserImpl(new StreamReader(section.text()), OPTIONS);
    this.section = section;
    this.scalars = new ScalarReader(section);
    this.names = names;
    this.locationDetail = locationDetail;
    this.mostNodes = mostNodes;
    this.anchors = new Anchors(mostNodes);
  }

  boolean hasNext() throws YamlProblem {
    return reading(() -> {
      if (parser.checkEvent(Event.ID.StreamStart)) {
        parser.getEvent();
      }
      return !parser.checkEvent(Event.ID.StreamEnd);
    });
  }

  /// Reads the next document, whose number in the stream is `number`. Only the end of the text or
  /// another document may follow: a mapping that ends early must not be read as half a policy.
  YamlDocument.WellFormed next(int number) throws YamlProblem {
    return reading(() -> {
      parser.getEvent();
      anchors = new Anchors(mostNodes);
      nodeLocations = new NodeLocations();
      root = null;
      var start = place(parser.peekEvent());
      var value = node(locationDetail, 0);
      parser.getEvent();
      parser.peekEvent();
      return new YamlDocument.WellFormed(number, value, start, nodeLocations);
    });
  }

  /// Returns the top-level fields of the document that were read before a problem.
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
          "an escape (\\x, \\u or \\U) in quoted text is not a valid character", section.start());
    }
  }

  private Value node(LocationDetail locationDetail, int depth) throws YamlProblem {
    var event = parser.getEvent();
    var location = place(event);
    if (depth > DEEPEST) {
      throw tooDeep(location);
    }
    anchors.count(event, section);
    height = 0;
    var value =
        event instanceof AliasEvent alias
            ? resolveAlias(alias, depth)
            : readNode((NodeEvent) event, locationDetail, depth);
    if (locationDetail != LocationDetail.NO) {
      nodeLocations.put(value, location);
    }
    if (locationDetail == LocationDetail.EVERYTHING
        && event instanceof ScalarEvent scalar
        && value instanceof Value.Text text) {
      nodeLocations.putText(text, SourceText.of(scalar, section));
    }
    return value;
  }

  private Value resolveAlias(AliasEvent alias, int depth) throws YamlProblem {
    var location = place(alias);
    var anchor = anchors.resolve(alias.getAnchor(), location);
    if (depth + anchor.height() > DEEPEST) {
      throw tooDeep(location);
    }
    height = anchor.height();
    return anchor.value();
  }

  private Value readNode(NodeEvent event, LocationDetail locationDetail, int depth)
      throws YamlProblem {
    var anchor = anchors.open(event.getAnchor(), place(event));
    var before = anchors.size() - 1;
    var value =
        switch (event) {
          case ScalarEvent scalar -> scalars.value(scalar);
          case SequenceStartEvent _ -> sequence(locationDetail, depth);
          case MappingStartEvent _ -> mapping(locationDetail, depth);
          default -> throw new IllegalStateException("not a node: " + event.getEventId());
        };
    if (event instanceof ScalarEvent scalar) {
      anchor.close(value, scalar);
    } else {
      anchor.close(value, anchors.size() - before, height);
    }
    return value;
  }

  private Value sequence(LocationDetail locationDetail, int depth) throws YamlProblem {
    var items = new ArrayList<Value>();
    int highest = 0;
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(locationDetail.item(), depth + 1));
      highest = Math.max(highest, height + 1);
    }
    parser.getEvent();
    height = highest;
    return new Value.Sequence(items);
  }

  private Value mapping(LocationDetail locationDetail, int depth) throws YamlProblem {
    var fields = new MappingBuilder();
    if (depth == 0) {
      root = fields;
    }
    Map<String, Location> written =
        locationDetail == LocationDetail.EVERYTHING ? new HashMap<>() : Map.of();
    int highest = 0;
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      var key = parser.getEvent();
      if (isMerge(key)) {
        merge(fields, place(key), locationDetail, depth);
      } else {
        var name = name(key);
        fields.put(name, node(locationDetail.field(name), depth + 1), place(key));
        if (locationDetail == LocationDetail.EVERYTHING) {
          written.put(name, place(key));
        }
      }
      highest = Math.max(highest, height + 1);
    }
    parser.getEvent();
    height = highest;
    var mapping = fields.mapping();
    if (!written.isEmpty()) {
      nodeLocations.putNames(mapping, written);
    }
    return mapping;
  }

  private void merge(
      MappingBuilder fields, Location location, LocationDetail locationDetail, int depth)
      throws YamlProblem {
    var shared = parser.checkEvent(Event.ID.Alias);
    var value = node(locationDetail, depth + 1);
    if (shared && !(value instanceof Value.Mapping)) {
      throw MappingBuilder.notMergeable(location);
    }
    fields.merge(value, location);
  }

  private static boolean isMerge(Event key) {
    return key instanceof ScalarEvent scalar
        && scalar.getValue().equals("<<")
        && (scalar.getImplicit().canOmitTagInPlainScalar() || MERGE_TAG.equals(scalar.getTag()));
  }

  private String name(Event key) throws YamlProblem {
    anchors.count(key, section);
    var name =
        switch (key) {
          case ScalarEvent scalar -> writtenName(scalar);
          case AliasEvent alias -> aliasedName(alias);
          default -> throw noKey(place(key));
        };
    return names.computeIfAbsent(name, same -> same);
  }

  private String writtenName(ScalarEvent key) throws YamlProblem {
    if (key.getAnchor() != null) {
      anchors.open(key.getAnchor(), place(key)).close(scalars.value(key), key);
    }
    return scalars.key(key);
  }

  private String aliasedName(AliasEvent key) throws YamlProblem {
    var scalar = anchors.resolve(key.getAnchor(), place(key)).scalar();
    if (scalar == null) {
      throw noKey(place(key));
    }
    return scalars.aliasedKey(scalar, place(key));
  }

  private Location place(Event event) {
    return section.place(event.getStartMark());
  }

  private static YamlProblem noKey(Location location) {
    return new YamlProblem(
        "a mapping or list where a key is expected; quote text that starts with a brace", location);
  }

  private static YamlProblem tooDeep(Location location) {
    return new YamlProblem("nested deeper than " + DEEPEST + " levels", location);
  }
}
