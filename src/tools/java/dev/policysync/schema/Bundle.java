package dev.policysync.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// Writes the schemas of several releases into one file, in which each part that occurs again is
/// there once. Its form: `{"$defs": {"1": schema, ...}, "roots": {"1.19":
/// {"ClusterPolicy.kyverno.io/v1": "1"}}}`. The same CRDs give the same bytes.
final class Bundle {
  private final JsonSchemas schemas = new JsonSchemas();
  private final Map<String, Value> roots = new TreeMap<>();

  /// @param arguments where to write to, then for each release its number and its module's folder:
  ///   `1.19 /…/kyverno@v1.19.1`
  static void main(String[] arguments) throws IOException {
    var bundle = new Bundle();
    for (int i = 1; i < arguments.length; i += 2) {
      bundle.add(arguments[i], Path.of(arguments[i + 1], "config", "crds"));
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(arguments[0])))) {
      out.write(bundle.json().getBytes(UTF_8));
    }
  }

  private void add(String release, Path crds) throws IOException {
    Map<String, Value> ofRelease = new TreeMap<>();
    for (var folder : List.of("kyverno", "policies.kyverno.io")) {
      if (Files.isDirectory(crds.resolve(folder))) {
        try (Stream<Path> files = Files.list(crds.resolve(folder))) {
          for (var file : files.sorted().toList()) {
            add(Documents.yaml(Files.readString(file)).mapping("spec"), ofRelease);
          }
        }
      }
    }
    roots.put(release, new Value.Mapping(ofRelease));
  }

  private void add(Value.Mapping crd, Map<String, Value> ofRelease) {
    var kind = crd.mapping("names").text("kind").orElseThrow();
    var group = crd.text("group").orElseThrow();
    if (PolicyKind.of(group, kind).isEmpty()) {
      return;
    }
    for (var version : crd.mappings("versions")) {
      if (version.field("served").filter(new Value.Bool(true)::equals).isPresent()) {
        var schema = version.mapping("schema").mapping("openAPIV3Schema");
        ofRelease.put(
            kind + "." + group + "/" + version.text("name").orElseThrow(),
            new Value.Text(schemas.root(schema)));
      }
    }
  }

  private String json() {
    return CanonicalJson.write(
        new Value.Mapping(
            Map.of(
                "$schema", new Value.Text("https://json-schema.org/draft/2020-12/schema"),
                "$defs", schemas.definitions(),
                "roots", new Value.Mapping(roots))));
  }
}
