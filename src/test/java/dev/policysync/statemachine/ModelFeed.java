package dev.policysync.statemachine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the remote API holds to be right.
///
/// @param documents policies that can be read; two of one identity are none
/// @param spoilt texts that are no policies
record ModelFeed(List<ModelPolicy> documents, List<String> spoilt) {
  static final ModelFeed EMPTY = new ModelFeed(List.of(), List.of());

  ModelFeed {
    documents = List.copyOf(documents);
    spoilt = List.copyOf(spoilt);
  }

  /// What has to be in the cluster; of two documents of one identity nobody knows which is meant.
  SortedMap<ObjectKey, ModelPolicy> expected() {
    var expected = new TreeMap<ObjectKey, ModelPolicy>();
    documents.forEach(modelPolicy -> expected.put(modelPolicy.objectKey(), modelPolicy));
    expected.keySet().removeIf(objectKey -> count(objectKey) > 1);
    return expected;
  }

  /// Whether nothing in it is beyond understanding.
  boolean complete() {
    return spoilt.isEmpty()
        && documents.stream().allMatch(modelPolicy -> count(modelPolicy.objectKey()) == 1);
  }

  boolean empty() {
    return documents.isEmpty() && spoilt.isEmpty();
  }

  ModelFeed with(ModelPolicy modelPolicy) {
    return new ModelFeed(plus(documents, modelPolicy), spoilt);
  }

  ModelFeed withSpoilt(String text) {
    return new ModelFeed(documents, plus(spoilt, text));
  }

  ModelFeed without(ModelPolicy modelPolicy) {
    return new ModelFeed(
        documents.stream().filter(other -> !other.equals(modelPolicy)).toList(), spoilt);
  }

  /// The same with another document in that one's place.
  ModelFeed replacing(ModelPolicy modelPolicy, ModelPolicy other) {
    return new ModelFeed(
        documents.stream().map(one -> one.equals(modelPolicy) ? other : one).toList(), spoilt);
  }

  /// All that is good of it.
  ModelFeed mended() {
    var good = expected().values().stream().filter(ModelPolicy::acceptable).toList();
    return new ModelFeed(good, List.of());
  }

  String text() {
    if (empty()) {
      return "{}";
    }
    var texts = new ArrayList<String>();
    documents.forEach(modelPolicy -> texts.add(modelPolicy.yaml()));
    texts.addAll(spoilt);
    return String.join("---\n", texts);
  }

  private long count(ObjectKey objectKey) {
    return documents.stream()
        .filter(modelPolicy -> modelPolicy.objectKey().equals(objectKey))
        .count();
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
