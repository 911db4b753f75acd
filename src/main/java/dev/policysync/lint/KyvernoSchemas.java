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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// What the CRDs of Kyverno 1.13 to 1.19 take, as `dev/schemas` wrote it down. Loading it and the
/// library that reads it takes 0.3 s, so no sync does.
public final class KyvernoSchemas {
  private static @Nullable KyvernoSchemas bundled;

  private final JsonNode document;
  private final TreeMap<KyvernoVersion, JsonNode> roots = new TreeMap<>();
  private final Map<String, JsonSchema> schemas = new HashMap<>();

  private KyvernoSchemas(JsonNode document) {
    this.document = document;
    document
        .get("roots")
        .properties()
        .forEach(
            root -> roots.put(KyvernoVersion.parse(root.getKey()).orElseThrow(), root.getValue()));
  }

  /// Those that the program has, which are read once.
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

  /// The newest release whose CRDs are known, without its patch.
  public KyvernoVersion newest() {
    return roots.lastKey();
  }

  /// The release whose CRDs stand for that one: the same minor, else the next one that is known,
  /// else the newest. None for what is older than all of them.
  ///
  /// @param release without one, the newest
  public Optional<KyvernoVersion> standingFor(Optional<KyvernoVersion> release) {
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

  /// The versions in which a release serves a kind: `v1`, `v1beta1`.
  public List<String> served(KyvernoVersion release, PolicyKind kind) {
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

  /// All releases that are known, the newest one first.
  public List<KyvernoVersion> releases() {
    var releases = new ArrayList<>(roots.keySet());
    Collections.reverse(releases);
    return releases;
  }

  /// What of that manifest a release refuses.
  ///
  /// @param version one in which it serves that kind
  public Stream<Violation> violations(
      KyvernoVersion release, PolicyKind kind, String version, Value.Mapping manifest) {
    var root = roots.get(release);
    var name = root == null ? null : root.get(kind.qualified() + "/" + version);
    if (name == null) {
      throw new IllegalArgumentException(
          "Kyverno " + release + " does not serve " + kind + " in " + version);
    }
    var words = new ViolationText(document);
    return schema(name.textValue()).validate(JsonNodes.of(manifest)).stream()
        .map(words::of)
        .distinct();
  }

  private JsonSchema schema(String name) {
    return schemas.computeIfAbsent(
        name,
        _ -> {
          var schema = JsonNodeFactory.instance.objectNode();
          schema.set("$schema", document.get("$schema"));
          schema.put("$ref", "#/$defs/" + name);
          schema.set("$defs", document.get("$defs"));
          return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
        });
  }
}
