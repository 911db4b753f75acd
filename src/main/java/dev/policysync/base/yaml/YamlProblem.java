package dev.policysync.base.yaml;

import java.util.List;
import java.util.OptionalInt;

/// The reason why a document cannot be read. The message is our own sentence, because SnakeYAML's
/// messages quote the text.
final class YamlProblem extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Location> places;
  private final int blank;

  YamlProblem(String reason, Location... places) {
    super(reason);
    this.places = List.of(places);
    this.blank = -1;
  }

  /// Creates a problem for a blank that SnakeYAML rejects.
  ///
  /// @param blank the number of code points before the blank
  YamlProblem(String reason, Location location, int blank) {
    super(reason);
    this.places = List.of(location);
    this.blank = blank;
  }

  /// Returns what is wrong and what to do about it.
  String reason() {
    return String.valueOf(getMessage());
  }

  /// Returns the number of code points before the blank at which SnakeYAML failed, if that was the
  /// problem.
  OptionalInt blank() {
    return blank < 0 ? OptionalInt.empty() : OptionalInt.of(blank);
  }

  /// Returns the locations of the problem in the order of the text; two for a duplicate key.
  List<Location> places() {
    return places;
  }
}
