package dev.policysync.statemachine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the remote API holds to be right.
///
/// @param documents policies that can be read; two of one identity are none
/// @param spoilt texts that are no policies
record Feed(List<Wanted> documents, List<String> spoilt) {
  static final Feed EMPTY = new Feed(List.of(), List.of());

  Feed {
    documents = List.copyOf(documents);
    spoilt = List.copyOf(spoilt);
  }

  /// What has to be in the cluster; of two documents of one identity nobody knows which is meant.
  SortedMap<Key, Wanted> expected() {
    var expected = new TreeMap<Key, Wanted>();
    documents.forEach(wanted -> expected.put(wanted.key(), wanted));
    expected.keySet().removeIf(key -> count(key) > 1);
    return expected;
  }

  /// Whether nothing in it is beyond understanding.
  boolean complete() {
    return spoilt.isEmpty() && documents.stream().allMatch(wanted -> count(wanted.key()) == 1);
  }

  boolean empty() {
    return documents.isEmpty() && spoilt.isEmpty();
  }

  Feed with(Wanted wanted) {
    return new Feed(plus(documents, wanted), spoilt);
  }

  Feed withSpoilt(String text) {
    return new Feed(documents, plus(spoilt, text));
  }

  Feed without(Wanted wanted) {
    return new Feed(documents.stream().filter(other -> !other.equals(wanted)).toList(), spoilt);
  }

  /// The same with another document in that one's place.
  Feed replacing(Wanted wanted, Wanted other) {
    return new Feed(
        documents.stream().map(one -> one.equals(wanted) ? other : one).toList(), spoilt);
  }

  /// All that is good of it.
  Feed mended() {
    var good = expected().values().stream().filter(Wanted::acceptable).toList();
    return new Feed(good, List.of());
  }

  String text() {
    if (empty()) {
      return "{}";
    }
    var texts = new ArrayList<String>();
    documents.forEach(wanted -> texts.add(wanted.yaml()));
    texts.addAll(spoilt);
    return String.join("---\n", texts);
  }

  private long count(Key key) {
    return documents.stream().filter(wanted -> wanted.key().equals(key)).count();
  }

  private static <T> List<T> plus(List<T> list, T item) {
    var longer = new ArrayList<>(list);
    longer.add(item);
    return longer;
  }

  @Override
  public String toString() {
    return documents + (spoilt.isEmpty() ? "" : " and " + spoilt.size() + " spoilt");
  }
}
