package dev.policysync.lint;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.Location;
import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.policy.Position;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A value in a policy, with its path and position: `spec.rules[0].match`, line 14, column 7. A
/// field with the value null counts as absent.
public final class Node {
  private final Origin origin;
  private final @Nullable Node parent;
  private final String step;
  private final Value value;

  /// The nodes directly below this one, created once, because all rules read the same policy.
  private @Nullable List<Node> children;

  /// This node and all nodes below it, collected once for the same reason.
  private @Nullable List<Node> selfAndDescendants;

  /// The place of a policy in its manifest.
  ///
  /// @param position where the policy begins
  /// @param nodeLocations the locations of the policy's nodes; if empty, every node is placed where
  ///   the policy begins
  record Origin(Position position, NodeLocations nodeLocations) {}

  private Node(Origin origin, @Nullable Node parent, String step, Value value) {
    this.origin = origin;
    this.parent = parent;
    this.step = step;
    this.value = value;
  }

  static Node root(Value.Mapping content, Position position, NodeLocations nodeLocations) {
    return new Node(new Origin(position, nodeLocations), null, "", content);
  }

  public Value value() {
    return value;
  }

  /// Returns the value as a mapping; an empty one if the value is not a mapping.
  public Value.Mapping mapping() {
    return value instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
  }

  /// Returns the string; empty if the value is not a string.
  public String text() {
    return value instanceof Value.Text(var text) ? text : "";
  }

  public Optional<BigDecimal> number() {
    return value instanceof Value.Numeric(var literal)
        ? Optional.of(new BigDecimal(literal))
        : Optional.empty();
  }

  public boolean isText() {
    return value instanceof Value.Text;
  }

  public boolean isText(String text) {
    return value.equals(new Value.Text(text));
  }

  /// Returns the node at these nested field names: `spec`, `webhookConfiguration`.
  public Optional<Node> at(String... names) {
    return at(List.of(names));
  }

  /// Returns the node at the end of a path, in which items of lists are written as `[2]`.
  public Optional<Node> at(List<String> path) {
    var node = this;
    for (var step : path) {
      var below = node.below(step);
      if (below == null) {
        return Optional.empty();
      }
      node = below;
    }
    return Optional.of(node);
  }

  private @Nullable Node below(String step) {
    for (var child : children()) {
      if (child.step.equals(step)) {
        return child;
      }
    }
    return null;
  }

  /// Returns the node at these nested field names, or this one if there is none.
  public Node atOrSelf(String... names) {
    return at(names).orElse(this);
  }

  /// Returns the nodes at all these paths, in which `[]` stands for each item of a list:
  /// `verifyImages[].attestors[].entries[]`.
  public Stream<Node> all(String... paths) {
    return all(List.of(paths));
  }

  /// Returns the nodes at all these paths, as [#all(String...)] does.
  public Stream<Node> all(List<String> paths) {
    var found = new ArrayList<Node>();
    paths.forEach(path -> addAt(path, found));
    return found.stream();
  }

  private void addAt(String path, List<Node> found) {
    var dot = path.indexOf('.');
    var step = dot < 0 ? path : path.substring(0, dot);
    var items = step.endsWith("[]");
    var below = below(items ? step.substring(0, step.length() - 2) : step);
    if (below == null) {
      return;
    }
    for (var node : items ? below.items() : List.of(below)) {
      if (dot < 0) {
        found.add(node);
      } else {
        node.addAt(path.substring(dot + 1), found);
      }
    }
  }

  /// Returns this node if it passes, otherwise the nodes below it that pass and have none above
  /// them that does. Fields with the names `except` are left out.
  public Stream<Node> topmost(Predicate<Node> passes, Set<String> except) {
    return passes.test(this)
        ? Stream.of(this)
        : children().stream()
            .filter(child -> !except.contains(child.name()))
            .flatMap(child -> child.topmost(passes, except));
  }

  public boolean has(String... names) {
    return at(names).isPresent();
  }

  /// Returns the string at these nested field names; empty if there is none.
  public String text(String... names) {
    return at(names).map(Node::text).orElse("");
  }

  /// Returns whether the field at these nested names, or this node, is set to true.
  public boolean isTrue(String... names) {
    return at(names).filter(node -> node.value.equals(new Value.Bool(true))).isPresent();
  }

  /// Returns whether the field at these nested names, or this node, is set to false.
  public boolean isFalse(String... names) {
    return at(names).filter(node -> node.value.equals(new Value.Bool(false))).isPresent();
  }

  /// Returns the items of the list at these nested field names, or of this list; none if it is not
  /// a list.
  public List<Node> items(String... names) {
    return at(names)
        .filter(node -> node.value instanceof Value.Sequence)
        .map(Node::children)
        .orElse(List.of());
  }

  public List<String> texts(String... names) {
    return items(names).stream().filter(Node::isText).map(Node::text).toList();
  }

  /// Returns the fields of this mapping; none if it is not a mapping.
  public List<Node> fields() {
    return value instanceof Value.Mapping ? children() : List.of();
  }

  /// Returns the name of the field; `[2]` for the third item of a list.
  public String name() {
    return step;
  }

  /// Returns the node that contains this one; empty for the whole manifest.
  public Optional<Node> parent() {
    return Optional.ofNullable(parent);
  }

  /// Returns the nodes directly below this one, in a mapping or a list.
  public List<Node> children() {
    if (children == null) {
      children = createChildren();
    }
    return children;
  }

  private List<Node> createChildren() {
    var made = new ArrayList<Node>();
    switch (value) {
      case Value.Sequence(var items) -> {
        for (int i = 0; i < items.size(); i++) {
          made.add(new Node(origin, this, "[" + i + "]", items.get(i)));
        }
      }
      case Value.Mapping(var fields) ->
          fields.forEach((name, child) -> {
            if (!(child instanceof Value.Null)) {
              made.add(new Node(origin, this, name, child));
            }
          });
      default -> {}
    }
    return List.copyOf(made);
  }

  public List<Node> selfAndDescendants() {
    if (selfAndDescendants == null) {
      var found = new ArrayList<Node>();
      addTo(found);
      selfAndDescendants = List.copyOf(found);
    }
    return selfAndDescendants;
  }

  private void addTo(List<Node> everything) {
    everything.add(this);
    children().forEach(child -> child.addTo(everything));
  }

  public Stream<String> allTexts() {
    return selfAndDescendants().stream().filter(Node::isText).map(Node::text);
  }

  /// Returns the path of this node in the policy: `spec.rules[0].match`.
  public String path() {
    if (parent == null) {
      return step;
    }
    var above = parent.path();
    return above + (above.isEmpty() || step.startsWith("[") ? "" : ".") + step;
  }

  /// Returns the position of the field's name, or of the value if the name has none.
  public Position position() {
    return position(location());
  }

  /// Returns the position of the character `index` of this string, or [#position()] if it is not
  /// known.
  public Position position(int index) {
    return value instanceof Value.Text text
        ? origin
            .nodeLocations
            .ofCharacter(text, index)
            .map(this::position)
            .orElseGet(this::position)
        : position();
  }

  private Position position(Location location) {
    return new Position(
        origin.position.source(), origin.position.document(), location.line(), location.column());
  }

  private Location location() {
    if (parent == null) {
      return new Location(origin.position.line(), origin.position.column());
    }
    var here =
        parent.value instanceof Value.Mapping mapping
            ? origin.nodeLocations.ofName(mapping, step)
            : Optional.<Location>empty();
    return here.orElseGet(() -> origin.nodeLocations.of(value, parent.location()));
  }

  @Override
  public String toString() {
    return path();
  }
}
