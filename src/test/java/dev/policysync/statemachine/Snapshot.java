package dev.policysync.statemachine;

import dev.policysync.testcluster.RawApi;
import dev.policysync.yaml.Value;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Every object of every kind that the machine plays with, at one moment.
record Snapshot(SortedMap<Key, Thing> things) {
  Snapshot {
    things = new TreeMap<>(things);
  }

  static Snapshot of(RawApi admin) {
    var things = new TreeMap<Key, Thing>();
    for (var kind : Kind.values()) {
      for (var item : admin.get(kind.everywhere()).ok().items("items")) {
        var object = (Value.Mapping) item;
        var key = Key.of(kind, object);
        things.put(key, new Thing(key, object.without("apiVersion").without("kind")));
      }
    }
    return new Snapshot(things);
  }

  /// The same with that object as it is now.
  Snapshot refreshed(Key key, RawApi admin) {
    var changed = new TreeMap<>(things);
    var reply = admin.get(key.url());
    if (reply.status() == 404) {
      changed.remove(key);
    } else {
      changed.put(key, new Thing(key, reply.ok().without("apiVersion").without("kind")));
    }
    return new Snapshot(changed);
  }

  Optional<Thing> get(Key key) {
    return Optional.ofNullable(things.get(key));
  }

  List<Thing> where(Predicate<Thing> condition) {
    return things.values().stream().filter(condition).toList();
  }

  /// How many are ours.
  int owned() {
    return where(Thing::ours).size();
  }

  /// What is ours, may go and is not in that feed.
  List<Thing> unwanted(Feed feed) {
    var expected = feed.expected();
    return where(thing -> thing.removable() && !expected.containsKey(thing.key()));
  }

  /// What a run that goes by that feed has to remove in any case: not what waits for a successor
  /// whose name is taken.
  List<Thing> pending(Feed feed) {
    var expected = feed.expected().keySet();
    return unwanted(feed).stream()
        .filter(thing -> expected.stream().noneMatch(key -> holdsBack(key, thing)))
        .toList();
  }

  private boolean holdsBack(Key successor, Thing thing) {
    return successor.name().equals(thing.key().name())
        && successor.kind() != thing.key().kind()
        && get(successor).filter(there -> !there.ours() || there.terminating()).isPresent();
  }
}
