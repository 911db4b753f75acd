package dev.policysync.base.yaml;

import java.util.List;
import java.util.OptionalInt;

/// Why a document could not be read. Its message is a sentence of our own: SnakeYAML's quote the
/// text.
final class YamlProblem extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Location> places;
  private final int blank;

  YamlProblem(String reason, Location... places) {
    super(reason);
    this.places = List.of(places);
    this.blank = -1;
  }

  /// A blank where SnakeYAML wants none, after so many code points of the text.
  YamlProblem(String reason, Location location, int blank) {
    super(reason);
    this.places = List.of(location);
    this.blank = blank;
  }

  /// What is wrong and what to do about it.
  String reason() {
    return String.valueOf(getMessage());
  }

  /// The blank at which SnakeYAML gave up, if that was the problem: code points before it.
  OptionalInt blank() {
    return blank < 0 ? OptionalInt.empty() : OptionalInt.of(blank);
  }

  /// Where, in the order of the text; two places for a key that is there twice.
  List<Location> places() {
    return places;
  }
}
