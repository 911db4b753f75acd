package dev.policysync.lint;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.Location;
import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.policy.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A value in a policy that knows where it stands: `spec.rules[0].match`, line 14, column 7. What
/// is there with the value null counts as absent.
public final class Node {
  private final Origin origin;
  private final @Nullable Node parent;
  private final String step;
  private final Value value;

  /// What stands right below it, made once: all rules walk over the same policy.
  private @Nullable List<Node> children;

  /// This and all below it, collected once for the same reason.
  private @Nullable List<Node> everything;

  /// Where a policy was written.
  ///
  /// @param position where it begins
  /// @param nodeLocations of the nodes in it; may be empty, all of them are then where it begins
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

  /// What stands here.
  public Value value() {
    return value;
  }

  /// What stands here, if that is a mapping; else an empty one.
  public Value.Mapping mapping() {
    return value instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
  }

  /// What stands here, if that is a string.
  public Optional<String> text() {
    return value instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
  }

  /// Whether this is that string.
  public boolean isText(String text) {
    return value.equals(new Value.Text(text));
  }

  /// Whether this is a string with that in it.
  public boolean isTextWith(String part) {
    return value instanceof Value.Text(var text) && text.contains(part);
  }

  /// Whether this is that boolean.
  public boolean is(boolean bool) {
    return value.equals(new Value.Bool(bool));
  }

  /// What stands below these names, one in the other: `spec`, `webhookConfiguration`.
  public Optional<Node> at(String... names) {
    var node = this;
    for (var name : names) {
      var below = node.value instanceof Value.Mapping ? node.below(name) : null;
      if (below == null) {
        return Optional.empty();
      }
      node = below;
    }
    return Optional.of(node);
  }

  /// What stands at the end of that path, which has items of lists as `[2]`.
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
    for (var child : known()) {
      if (child.step.equals(step)) {
        return child;
      }
    }
    return null;
  }

  /// Whether there is something below these names.
  public boolean has(String... names) {
    return at(names).isPresent();
  }

  /// The string below these names.
  public Optional<String> text(String... names) {
    return at(names).flatMap(Node::text);
  }

  /// Whether the boolean below `name` is set to that.
  public boolean says(String name, boolean bool) {
    return at(name).filter(node -> node.is(bool)).isPresent();
  }

  /// The items of the list below these names; none where there is no list.
  public List<Node> items(String... names) {
    return at(names).map(Node::items).orElse(List.of());
  }

  /// The items of this list; none if it is not one.
  public List<Node> items() {
    return value instanceof Value.Sequence ? known() : List.of();
  }

  /// The strings of the list below these names.
  public List<String> texts(String... names) {
    return items(names).stream().flatMap(item -> item.text().stream()).toList();
  }

  /// What stands in the fields of this mapping.
  public List<Node> fields() {
    return value instanceof Value.Mapping ? known() : List.of();
  }

  /// The name of the field that this is; `[2]` for the third item of a list.
  public String name() {
    return step;
  }

  /// What it stands in; nothing for the whole manifest.
  public Optional<Node> parent() {
    return Optional.ofNullable(parent);
  }

  /// What stands right below it, in a mapping or in a list.
  public Stream<Node> children() {
    return known().stream();
  }

  private List<Node> known() {
    if (children == null) {
      children = made();
    }
    return children;
  }

  private List<Node> made() {
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

  /// This and everything below it.
  public List<Node> everything() {
    if (everything == null) {
      var found = new ArrayList<Node>();
      addTo(found);
      everything = List.copyOf(found);
    }
    return everything;
  }

  private void addTo(List<Node> everything) {
    everything.add(this);
    known().forEach(child -> child.addTo(everything));
  }

  /// The strings here and below.
  public Stream<String> everyText() {
    return everything().stream().flatMap(node -> node.text().stream());
  }

  /// How to find it in the policy: `spec.rules[0].match`.
  public String path() {
    if (parent == null) {
      return step;
    }
    var above = parent.path();
    return above + (above.isEmpty() || step.startsWith("[") ? "" : ".") + step;
  }

  /// Where to look: at the name of the field, else at the value.
  public Position position() {
    return position(place());
  }

  /// Where to look in this text: at the character of that index, else as [#position()].
  public Position position(int index) {
    return value instanceof Value.Text text
        ? origin.nodeLocations.within(text, index).map(this::position).orElseGet(this::position)
        : position();
  }

  private Position position(Location location) {
    return new Position(
        origin.position.source(), origin.position.document(), location.line(), location.column());
  }

  private Location place() {
    if (parent == null) {
      return new Location(origin.position.line(), origin.position.column());
    }
    var here =
        parent.value instanceof Value.Mapping mapping
            ? origin.nodeLocations.ofName(mapping, step)
            : Optional.<Location>empty();
    return here.orElseGet(() -> origin.nodeLocations.of(value, parent.place()));
  }

  @Override
  public String toString() {
    return path();
  }
}
