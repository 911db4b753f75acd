package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Optional;

/// One document of a stream, well-formed or broken.
public sealed interface YamlDocument {
  /// A document that is well-formed.
  ///
  /// @param number the document's number in the stream, from 1
  /// @param start where the document's first node begins
  /// @param excerpt the document's text, unless that text belongs to several documents
  record WellFormed(
      int number,
      Value value,
      Location start,
      NodeLocations nodeLocations,
      Optional<Excerpt> excerpt)
      implements YamlDocument {
    WellFormed(int number, Value value, Location start, NodeLocations nodeLocations) {
      this(number, value, start, nodeLocations, Optional.empty());
    }

    WellFormed with(Optional<Excerpt> other) {
      return new WellFormed(number, value, start, nodeLocations, other);
    }
  }

  /// A document that cannot be read.
  ///
  /// @param places where the problems are
  /// @param readSoFar the complete top-level fields before the problem
  record Broken(int number, List<Location> places, String reason, Value.Mapping readSoFar)
      implements YamlDocument {
    public Broken {
      places = List.copyOf(places);
    }
  }
}
