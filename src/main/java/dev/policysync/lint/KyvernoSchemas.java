package dev.policysync.lint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// The JSON Schemas of the CRDs of Kyverno 1.13 to 1.19 and of the admission policies of Kubernetes
/// 1.36, made by `dev/schemas`. Loading the schemas and the JSON Schema library takes 0.3 s, so no
/// sync loads them.
public final class KyvernoSchemas {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static @Nullable KyvernoSchemas bundled;

  private final JsonNode document;
  private final TreeMap<KyvernoVersion, JsonNode> roots = new TreeMap<>();
  private final Map<String, JsonSchema> schemas = new HashMap<>();

  private KyvernoSchemas(JsonNode document) {
    this.document = document;
    document
        .get("roots")
        .properties()
        .forEach(root ->
            KyvernoVersion.parse(root.getKey())
                .ifPresent(release -> roots.put(release, root.getValue())));
  }

  /// Returns the schemas that are part of the program. They are read once.
  public static synchronized KyvernoSchemas bundled() {
    var known = bundled;
    if (known == null) {
      known = new KyvernoSchemas(read());
      bundled = known;
    }
    return known;
  }

  private static JsonNode read() {
    try (var in = KyvernoSchemas.class.getResourceAsStream("schemas.json.gz")) {
      if (in == null) {
        throw new IllegalStateException("schemas.json.gz is not beside its class; a bug");
      }
      return new ObjectMapper().readTree(new GZIPInputStream(in));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read schemas.json.gz", e);
    }
  }

  /// Returns the newest release with known CRDs, without its patch version.
  public KyvernoVersion newest() {
    return roots.lastKey();
  }

  /// Returns the release whose CRDs are used for `release`: the same minor version, else the next
  /// known one, else the newest. Empty if `release` is older than all known releases.
  ///
  /// @param release empty for the newest
  public Optional<KyvernoVersion> schemaReleaseFor(Optional<KyvernoVersion> release) {
    if (release.isEmpty()) {
      return Optional.of(newest());
    }
    var minor = new KyvernoVersion(release.get().major(), release.get().minor(), 0);
    if (minor.compareTo(roots.firstKey()) < 0) {
      return Optional.empty();
    }
    var next = roots.ceilingKey(minor);
    return Optional.of(next == null ? newest() : next);
  }

  /// Returns the API versions in which a release serves a kind: `v1`, `v1beta1`.
  public List<String> servedVersions(KyvernoVersion release, PolicyKind kind) {
    var prefix = kind.qualified() + "/";
    var root = roots.get(release);
    return root == null
        ? List.of()
        : root.propertyStream()
            .map(Map.Entry::getKey)
            .filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length()))
            .toList();
  }

  /// Returns all known releases, newest first.
  public List<KyvernoVersion> releases() {
    return List.copyOf(roots.descendingKeySet());
  }

  /// Returns what the schema of a release rejects in `manifest`.
  ///
  /// @param version an API version in which the release serves the kind
  public Stream<Violation> violations(
      KyvernoVersion release, PolicyKind kind, String version, Value.Mapping manifest) {
    var root = roots.get(release);
    var name = root == null ? null : root.get(kind.qualified() + "/" + version);
    if (name == null) {
      throw new IllegalArgumentException(
          "Kyverno " + release + " does not serve " + kind + " in " + version);
    }
    return violations(name, manifest);
  }

  /// Returns what the schema of Kubernetes rejects in a policy of a built-in kind.
  public Stream<Violation> violations(PolicyKind builtIn, Value.Mapping manifest) {
    return violations(
        document.get("roots").get("kubernetes").get(builtIn.qualified() + "/v1"), manifest);
  }

  /// A status of the wrong form does no harm: the API server drops it.
  private Stream<Violation> violations(JsonNode name, Value.Mapping manifest) {
    return schema(name.textValue()).validate(json(manifest)).stream()
        .map(message -> Violation.of(message, document))
        .filter(violation ->
            violation.path().isEmpty() || !violation.path().getFirst().equals("status"))
        .distinct();
  }

  private JsonSchema schema(String name) {
    return schemas.computeIfAbsent(
        name,
        _ -> {
          var schema = NODES.objectNode();
          schema.set("$schema", document.get("$schema"));
          schema.put("$ref", "#/$defs/" + name);
          schema.set("$defs", document.get("$defs"));
          return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
        });
  }

  /// Converts a value for the JSON Schema library. Fields with the value null are left out, because
  /// the API server drops them before it validates an object.
  private static JsonNode json(Value value) {
    return switch (value) {
      case Value.Mapping mapping -> {
        var node = NODES.objectNode();
        mapping
            .fields()
            .forEach((name, field) -> {
              if (!(field instanceof Value.Null)) {
                node.set(name, json(field));
              }
            });
        yield node;
      }
      case Value.Sequence(var items) -> {
        var node = NODES.arrayNode();
        items.forEach(item -> node.add(json(item)));
        yield node;
      }
      case Value.Text(var text) -> NODES.textNode(text);
      case Value.Bool(var bool) -> NODES.booleanNode(bool);
      case Value.Null() -> NODES.nullNode();
      case Value.Numeric(var literal) -> number(new BigDecimal(literal));
    };
  }

  private static JsonNode number(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0
        ? NODES.numberNode(number.toBigInteger())
        : NODES.numberNode(number);
  }
}
