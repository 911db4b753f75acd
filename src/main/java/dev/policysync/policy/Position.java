package dev.policysync.policy;

import dev.policysync.base.yaml.Location;

/// A position in a feed: `policies.yaml, document 3, line 41, column 5`. All numbers count from 1.
/// All items of a document that is a `List` have the document's number.
public record Position(String source, int document, int line, int column) {

  public static Position of(String source, int document, Location location) {
    return new Position(source, document, location.line(), location.column());
  }

  @Override
  public String toString() {
    return source + ", document " + document + ", line " + line + ", column " + column;
  }
}
