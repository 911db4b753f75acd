package dev.policysync.convert;

import java.util.List;
import java.util.stream.Collectors;

/// Tests of a field of a Pod or a container, which Kyverno decodes into Go's types: null counts as
/// missing, and any field on the path may be missing, too.
final class PodFields {
  private PodFields() {}

  /// Returns an expression for the field's value; null if it is missing.
  static String value(String holder, String path) {
    return holder + ".?" + path + ".orValue(null)";
  }

  static Cel unset(String holder, String path) {
    return Cel.comparison(value(holder, path) + " == null");
  }

  static Cel isSet(String holder, String path) {
    return Cel.comparison(value(holder, path) + " != null");
  }

  /// Tests whether the field is missing, or has that value: `false`, `0`.
  static Cel unsetOr(String holder, String path, String literal) {
    return unset(holder, path).or(Cel.comparison(holder + "." + path + " == " + literal));
  }

  static Cel unsetOrIn(String holder, String path, List<String> texts) {
    return unset(holder, path).or(in(holder + "." + path, texts));
  }

  /// Tests whether the field is missing, or is a list in which every item passes.
  static Cel unsetOrAll(String holder, String path, String item, Cel ofItem) {
    return unset(holder, path).or(all(holder + "." + path, item, ofItem));
  }

  static Cel all(String list, String item, Cel ofItem) {
    return ofItem.equals(Cel.TRUE)
        ? Cel.TRUE
        : Cel.call(list + ".all(" + item + ", " + ofItem + ")");
  }

  static Cel in(String value, List<String> texts) {
    return Cel.comparison(
        value + texts.stream().map(Cel::quoted).collect(Collectors.joining(", ", " in [", "]")));
  }
}
