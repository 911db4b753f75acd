package dev.policysync.base.yaml;

import dev.policysync.base.JsonLength;
import dev.policysync.base.Value;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;

/// The anchors of one document, and how much content its aliases have added so far. A few lines of
/// aliases can expand to more than fits into memory. The expansion is therefore limited by a number
/// of nodes, by the share of copied nodes that Go's reader allows, and by the length as JSON.
final class Anchors {
  private static final int MOST_COPIED = 200_000;

  /// The maximum size of a whole policy, in bytes of JSON. etcd takes requests of up to 1.5 MiB
  /// (`--max-request-bytes`, 1572864), and an object of a CRD is stored as its JSON; the API server
  /// reads no request body of more than 3 MiB (`MaxRequestBodyBytes` in k8s.io/apiserver). So no
  /// document that can be applied needs more.
  private static final long MOST_JSON = 1_572_864;

  private final Map<String, Anchor> known = new HashMap<>();
  private final long mostNodes;
  private long read;
  private long copied;
  private long copiedJson;

  /// @param mostNodes the maximum number of nodes, copies not included
  Anchors(long mostNodes) {
    this.mostNodes = mostNodes;
  }

  /// Registers the anchor of a node before the node is read, because an alias to the node within
  /// the node itself would be endless.
  Anchor open(@Nullable String name, Location location) throws YamlProblem {
    var anchor = new Anchor();
    if (name == null) {
      return anchor;
    }
    if (!name.chars().allMatch(Anchors::mayBeInName)) {
      throw new YamlProblem(
          "the name of an anchor (&) contains characters other than letters, digits, - and _",
          location);
    }
    known.put(name, anchor);
    return anchor;
  }

  private static boolean mayBeInName(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }

  /// Counts a node. Every node must be counted.
  void count(Event node, SectionText section) throws YamlProblem {
    read++;
    if (read - copied > mostNodes) {
      throw new YamlProblem(
          "a document of more than "
              + mostNodes
              + " values, too large for the heap; split it or increase the heap"
              + " (POLICY_SYNC_JAVA_OPTIONS=-Xmx…, chart: javaOptions)",
          section.place(node.getStartMark()));
    }
  }

  /// Returns the number of nodes read so far, copies included.
  long size() {
    return read;
  }

  /// Returns the anchor that an alias refers to, and counts its nodes as copies.
  Anchor resolve(String name, Location location) throws YamlProblem {
    var anchor = known.get(name);
    if (anchor == null) {
      throw new YamlProblem("an alias (*) refers to an undefined anchor (&)", location);
    }
    if (anchor.value == null) {
      throw new YamlProblem("an alias (*) refers to a node that contains it", location);
    }
    read += anchor.size;
    copied += anchor.size;
    var excessive = copied > 100 && read > 1_000 && copied > 0.99 * read;
    if (excessive || copied > MOST_COPIED) {
      throw new YamlProblem(
          "aliases (*) expand the document beyond "
              + MOST_COPIED
              + " nodes or 99 % of it; write the content out or split the document",
          location);
    }
    copiedJson += anchor.jsonLength(MOST_JSON - copiedJson);
    if (copiedJson > MOST_JSON) {
      throw new YamlProblem(
          "aliases (*) add more than 1.5 MiB to the document, the size limit of Kubernetes"
              + " objects; write the content out or split the document",
          location);
    }
    return anchor;
  }

  /// A node that aliases can refer to.
  static final class Anchor {
    private @Nullable Value value;
    private @Nullable ScalarEvent scalar;
    private long size;
    private int height;
    private long jsonLength = -1;

    void close(Value read, long nodes, int levels) {
      value = read;
      size = nodes;
      height = levels;
    }

    void close(Value read, ScalarEvent event) {
      close(read, 1, 0);
      scalar = event;
    }

    Value value() {
      if (value == null) {
        throw new IllegalStateException("an anchor is used before it was read; this is a bug");
      }
      return value;
    }

    /// Returns the scalar as it was written, if the node is a scalar. Its meaning as a key can
    /// differ from its meaning as a value.
    @Nullable ScalarEvent scalar() {
      return scalar;
    }

    /// Returns the length of the node as JSON if that is at most `most`, otherwise a larger number
    /// than `most`.
    long jsonLength(long most) {
      if (jsonLength < 0) {
        jsonLength = JsonLength.of(value(), most);
      }
      return jsonLength;
    }

    /// Returns the levels of nesting within the node.
    int height() {
      return height;
    }
  }
}
