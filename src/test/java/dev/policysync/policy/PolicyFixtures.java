package dev.policysync.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.policysync.base.Value;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.UnreadableDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Policies, feeds and values for tests.
public final class PolicyFixtures {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();
  private static final String SPEC =
      "{'validationFailureAction': 'Audit', 'rules': [{'name': 'team'}]}";

  private PolicyFixtures() {}

  /// A mapping from JSON, in which single quotes may stand for double ones.
  public static Value.Mapping json(String text) {
    return (Value.Mapping) value(text);
  }

  /// Any value from JSON.
  public static Value value(String text) {
    try {
      return value(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /// A cluster policy of one rule that audits.
  public static Policy clusterPolicy(String name) {
    return policy(PolicyId.of(PolicyKind.CLUSTER_POLICY, name));
  }

  /// A cluster policy with that spec.
  public static Policy clusterPolicy(String name, String spec) {
    return policy(PolicyId.of(PolicyKind.CLUSTER_POLICY, name), spec);
  }

  /// A policy of that identity.
  public static Policy policy(PolicyId id) {
    return policy(id, SPEC);
  }

  /// A policy of that identity with that spec.
  public static Policy policy(PolicyId id, String spec) {
    var metadata = new LinkedHashMap<String, Value>();
    metadata.put("name", new Value.Text(id.name()));
    id.namespace().ifPresent(namespace -> metadata.put("namespace", new Value.Text(namespace)));
    var content = new LinkedHashMap<String, Value>();
    content.put(
        "apiVersion", new Value.Text(id.kind().group() + "/" + id.kind().versions().getFirst()));
    content.put("kind", new Value.Text(id.kind().kind()));
    content.put("metadata", new Value.Mapping(metadata));
    content.put("spec", json(spec));
    return new Policy(id, new Value.Mapping(content), new Position("feed", 1, 1, 1));
  }

  /// A feed in which everything could be read.
  public static ExpectedPolicies feed(Policy... policies) {
    return feed(Arrays.asList(policies));
  }

  /// A feed with documents that could not be read.
  public static ExpectedPolicies feed(List<Policy> policies, UnreadableDocument... unreadable) {
    return new ExpectedPolicies(policies, Arrays.asList(unreadable));
  }

  /// A document that could not be read and tells nothing of itself.
  public static UnreadableDocument unreadable() {
    return unreadable(Optional.empty(), Optional.empty());
  }

  /// A document that could not be read, but that much of it.
  public static UnreadableDocument unreadable(Optional<PolicyId> id, Optional<String> name) {
    return new UnreadableDocument(
        id, name, List.of(new Position("feed", 2, 7, 1)), "it has no kind");
  }

  private static Value value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        var fields = new LinkedHashMap<String, Value>();
        node.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue())));
        yield new Value.Mapping(fields);
      }
      case ARRAY -> {
        var items = new ArrayList<Value>();
        node.forEach(item -> items.add(value(item)));
        yield new Value.Sequence(items);
      }
      case STRING -> new Value.Text(node.textValue());
      case NUMBER ->
          node.isIntegralNumber()
              ? Value.Numeric.of(node.bigIntegerValue())
              : Value.Numeric.of(node.doubleValue());
      case BOOLEAN -> new Value.Bool(node.booleanValue());
      case NULL -> Value.Null.NULL;
      case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not JSON: " + node);
    };
  }
}
