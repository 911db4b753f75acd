package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.testcluster.Documents;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the remote API publishes.
final class ScenarioFeed {
  private final int number;
  private final List<String> documents;
  private Optional<Map<PolicyId, Value.Mapping>> policies = Optional.empty();

  /// @param number counts what was published, from 1
  ScenarioFeed(int number, List<String> documents) {
    this.number = number;
    this.documents = documents;
  }

  int number() {
    return number;
  }

  /// The feed after this one.
  ScenarioFeed next(String... published) {
    return new ScenarioFeed(number + 1, List.of(published));
  }

  /// What follows where somebody adds that to it.
  ScenarioFeed with(String document) {
    var all = new ArrayList<>(documents);
    all.add(document);
    return new ScenarioFeed(number + 1, all);
  }

  /// As the API hands it out, each one a text of its own.
  List<Manifest> manifests() {
    var text = String.join("---\n", documents);
    return List.of(new Manifest("feed", text.getBytes(StandardCharsets.UTF_8)));
  }

  Map<PolicyId, Value.Mapping> policies() {
    if (policies.isEmpty()) {
      var read = new LinkedHashMap<PolicyId, Value.Mapping>();
      for (var document : documents) {
        var policy = Documents.policy(document);
        read.put(policy.id(), policy.content());
      }
      policies = Optional.of(read);
    }
    return policies.get();
  }

  /// Whether an object says all that a feed's document says.
  static boolean covers(Value live, Value wanted) {
    return covers(live, wanted, false);
  }

  /// Whether an object says all that, but for what others have in a list of words: some of these
  /// are sets, in which that stays until the next request of the same write.
  static boolean includes(Value live, Value wanted) {
    return covers(live, wanted, true);
  }

  private static boolean covers(Value live, Value wanted, boolean more) {
    return switch (wanted) {
      case Value.Mapping(var fields) ->
          live instanceof Value.Mapping there
              && fields.entrySet().stream()
                  .allMatch(field ->
                      field.getKey().equals("apiVersion")
                          || there
                              .field(field.getKey())
                              .filter(value -> covers(value, field.getValue(), more))
                              .isPresent());
      case Value.Sequence(var items) -> {
        var there = live instanceof Value.Sequence(var list) ? list : List.<Value>of();
        if (more && !items.isEmpty() && items.stream().allMatch(Value.Text.class::isInstance)) {
          yield there.containsAll(items);
        }
        var same = there.size() == items.size();
        for (int i = 0; same && i < items.size(); i++) {
          same = covers(there.get(i), items.get(i), more);
        }
        yield same;
      }
      case Value.Text _, Value.Numeric _, Value.Bool _, Value.Null _ -> live.equals(wanted);
    };
  }

  @Override
  public String toString() {
    return "feed " + number + " " + policies().keySet();
  }
}
