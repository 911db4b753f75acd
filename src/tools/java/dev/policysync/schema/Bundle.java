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
/// {"ClusterPolicy.kyverno.io/v1": "1"}}}`. The kinds of Kubernetes are in the root `kubernetes`.
/// The same sources give the same bytes.
final class Bundle {
  private final JsonSchemas schemas = new JsonSchemas();
  private final Map<String, Value> roots = new TreeMap<>();

  private static final String KUBERNETES = "kubernetes";

  /// @param arguments where to write to, then for each release its number and its module's folder:
  ///   `1.19 /…/kyverno@v1.19.1`, and `kubernetes /…/kubernetes@v1.36.3`
  static void main(String[] arguments) throws IOException {
    var bundle = new Bundle();
    for (int i = 1; i < arguments.length; i += 2) {
      if (arguments[i].equals(KUBERNETES)) {
        bundle.addOpenApi(Path.of(arguments[i + 1], "api", "openapi-spec", "v3"));
      } else {
        bundle.add(arguments[i], Path.of(arguments[i + 1], "config", "crds"));
      }
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

  /// Adds the kinds that the API server itself has, in the version that it serves by default.
  private void addOpenApi(Path folder) throws IOException {
    Map<String, Value> ofKubernetes = new TreeMap<>();
    var file = "apis__admissionregistration.k8s.io__v1_openapi.json";
    var components =
        Documents.yaml(Files.readString(folder.resolve(file)))
            .mapping("components")
            .mapping("schemas");
    for (var kind : PolicyKind.all()) {
      var name = "io.k8s.api.admissionregistration.v1." + kind.kind();
      if (kind.builtIn() && components.field(name).isPresent()) {
        var schema = OpenApi.inlined(components.mapping(name), components);
        ofKubernetes.put(kind.qualified() + "/v1", new Value.Text(schemas.root(schema)));
      }
    }
    roots.put(KUBERNETES, new Value.Mapping(ofKubernetes));
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
