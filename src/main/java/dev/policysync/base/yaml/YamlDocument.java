package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Optional;

/// One document of a stream, read or not.
public sealed interface YamlDocument {
  /// A document that is well-formed.
  ///
  /// @param number its number in the stream, from 1
  /// @param start where its first node stands
  /// @param excerpt its text, where that is no other document's
  record Sound(
      int number,
      Value value,
      Location start,
      NodeLocations nodeLocations,
      Optional<Excerpt> excerpt)
      implements YamlDocument {
    /// One that has no text of its own.
    Sound(int number, Value value, Location start, NodeLocations nodeLocations) {
      this(number, value, start, nodeLocations, Optional.empty());
    }

    /// The same, whose text that is.
    Sound with(Optional<Excerpt> other) {
      return new Sound(number, value, start, nodeLocations, other);
    }
  }

  /// A document that is not.
  ///
  /// @param places where it is wrong
  /// @param readSoFar fields at the top that stand before the problem, as far as they were complete
  record Broken(int number, List<Location> places, String reason, Value.Mapping readSoFar)
      implements YamlDocument {
    public Broken {
      places = List.copyOf(places);
    }
  }
}
