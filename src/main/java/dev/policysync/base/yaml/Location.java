package dev.policysync.base.yaml;

/// A line and a column of a stream, both counted from 1.
public record Location(int line, int column) {
  public static final Location START = new Location(1, 1);
}
