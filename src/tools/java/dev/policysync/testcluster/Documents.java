package dev.policysync.testcluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.policysync.base.Value;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// Reads test documents and the API server's answers. It shares no code with what is tested.
public final class Documents {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Documents() {}

  /// The one mapping in a YAML text.
  public static Value.Mapping yaml(String text) {
    return (Value.Mapping) ofYaml(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }

  /// The one policy in a YAML text.
  public static Policy policy(String text) {
    return policy(yaml(text));
  }

  /// That manifest as a policy of a feed.
  public static Policy policy(Value.Mapping manifest) {
    var group = manifest.text("apiVersion").orElseThrow().split("/", -1)[0];
    var kind = PolicyKind.of(group, manifest.text("kind").orElseThrow()).orElseThrow();
    var metadata = manifest.mapping("metadata");
    var id = new PolicyId(kind, metadata.text("namespace"), metadata.text("name").orElseThrow());
    return new Policy(id, manifest, new Position("test", 1, 1, 1));
  }

  /// The object in a JSON text; one without fields where there is none.
  public static Value.Mapping json(String text) {
    try {
      return ofJson(JSON.readTree(text)) instanceof Value.Mapping object
          ? object
          : Value.Mapping.EMPTY;
    } catch (IOException e) {
      throw new UncheckedIOException("the answer is no JSON: " + text, e);
    }
  }

  private static Value ofYaml(@Nullable Object node) {
    return switch (node) {
      case null -> Value.Null.NULL;
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, Value>();
        map.forEach((name, value) -> fields.put(String.valueOf(name), ofYaml(value)));
        yield new Value.Mapping(fields);
      }
      case List<?> list -> {
        var items = new ArrayList<Value>();
        list.forEach(item -> items.add(ofYaml(item)));
        yield new Value.Sequence(items);
      }
      case Boolean flag -> new Value.Bool(flag);
      case Double number -> Value.Numeric.of(number);
      case Number number -> Value.Numeric.of(new BigInteger(number.toString()));
      default -> new Value.Text(node.toString());
    };
  }

  private static Value ofJson(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        var fields = new LinkedHashMap<String, Value>();
        node.properties().forEach(field -> fields.put(field.getKey(), ofJson(field.getValue())));
        yield new Value.Mapping(fields);
      }
      case ARRAY -> {
        var items = new ArrayList<Value>();
        node.forEach(item -> items.add(ofJson(item)));
        yield new Value.Sequence(items);
      }
      case BOOLEAN -> new Value.Bool(node.booleanValue());
      case NUMBER ->
          node.isIntegralNumber()
              ? Value.Numeric.of(node.bigIntegerValue())
              : Value.Numeric.of(node.doubleValue());
      case STRING -> new Value.Text(node.textValue());
      case NULL, MISSING, BINARY, POJO -> Value.Null.NULL;
    };
  }
}
