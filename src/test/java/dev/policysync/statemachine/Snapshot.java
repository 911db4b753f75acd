package dev.policysync.statemachine;

import dev.policysync.base.Value;
import dev.policysync.testcluster.RawApi;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Every object of every kind that the machine plays with, at one moment.
///
/// @param source of the agent that they are ours or another's to
record Snapshot(String source, SortedMap<ObjectKey, ObservedObject> things) {
  Snapshot {
    things = new TreeMap<>(things);
  }

  static Snapshot of(RawApi admin) {
    var things = new TreeMap<ObjectKey, ObservedObject>();
    for (var modelKind : ModelKind.values()) {
      for (var item : admin.get(modelKind.everywhere()).ok().items("items")) {
        var object = (Value.Mapping) item;
        var objectKey = ObjectKey.of(modelKind, object);
        things.put(objectKey, observed(objectKey, object));
      }
    }
    return new Snapshot(ObservedObject.SOURCE, things);
  }

  /// The same with that object as it is now.
  Snapshot refreshed(ObjectKey objectKey, RawApi admin) {
    var changed = new TreeMap<>(things);
    var reply = admin.get(objectKey.url());
    if (reply.status() == 404) {
      changed.remove(objectKey);
    } else {
      changed.put(objectKey, observed(objectKey, reply.ok()).to(source));
    }
    return new Snapshot(source, changed);
  }

  private static ObservedObject observed(ObjectKey objectKey, Value.Mapping object) {
    return new ObservedObject(
        ObservedObject.SOURCE, objectKey, object.without("apiVersion").without("kind"));
  }

  /// The same objects to the agent of that source.
  Snapshot to(String other) {
    var seen = new TreeMap<>(things);
    seen.replaceAll((_, observedObject) -> observedObject.to(other));
    return new Snapshot(other, seen);
  }

  Optional<ObservedObject> get(ObjectKey objectKey) {
    return Optional.ofNullable(things.get(objectKey));
  }

  List<ObservedObject> where(Predicate<ObservedObject> condition) {
    return things.values().stream().filter(condition).toList();
  }

  /// How many are ours and not being removed.
  int owned() {
    return where(observedObject -> observedObject.ours() && !observedObject.terminating()).size();
  }

  /// What is ours, may go and is not in that feed.
  List<ObservedObject> unwanted(ModelFeed modelFeed) {
    var expected = modelFeed.expected();
    return where(observedObject ->
        observedObject.removable() && !expected.containsKey(observedObject.objectKey()));
  }

  /// What a run that goes by that feed has to remove in any case: not what waits for a successor
  /// whose name is taken, or which is left alone.
  List<ObservedObject> pending(ModelFeed modelFeed) {
    var expected = modelFeed.expected().keySet();
    return unwanted(modelFeed).stream()
        .filter(observedObject ->
            expected.stream().noneMatch(objectKey -> holdsBack(objectKey, observedObject)))
        .toList();
  }

  private boolean holdsBack(ObjectKey successor, ObservedObject observedObject) {
    return successor.isToReplace(observedObject.objectKey())
        && get(successor)
            .filter(there -> !there.ours() || there.terminating() || there.paused())
            .isPresent();
  }
}
