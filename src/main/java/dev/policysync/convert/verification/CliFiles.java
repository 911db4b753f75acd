package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Writes the files that tell Kyverno's command line what it has to know beside policies and
/// resources: the operation, the user, the labels of namespaces, and what policies read from the
/// cluster. The legacy form finds the judged resources and those of `--parameter-resource`, and
/// gets values in place of ConfigMaps; `resource.Get()` and `resource.List()` find the objects of
/// the context file.
final class CliFiles {
  private final Path folder;

  CliFiles(Path folder) {
    this.folder = folder;
  }

  /// Writes the files and returns the options that name them.
  List<String> of(
      List<Value.Mapping> policies,
      List<Value.Mapping> resources,
      Optional<String> operation,
      ClusterContext context)
      throws IOException {
    var options = new ArrayList<String>();
    if (operation.isPresent() || !context.values().isEmpty() || !context.namespaces().isEmpty()) {
      options.add("--values-file=" + values(policies, operation, context));
    }
    if (context.user().isPresent()) {
      var user = object("UserInfo").with("userInfo", context.user().get());
      options.add("--userinfo=" + write(folder.resolve("user.yaml"), List.of(user)));
    }
    if (!context.objects().isEmpty()) {
      options.add(
          "--parameter-resource=" + write(folder.resolve("cluster.yaml"), context.objects()));
      options.add("--context-file=" + context(resources, context));
    }
    return options;
  }

  private Path values(
      List<Value.Mapping> policies, Optional<String> operation, ClusterContext context)
      throws IOException {
    var values = object("Values");
    if (operation.isPresent()) {
      values =
          values.with(
              "globalValues", Value.Mapping.EMPTY.with("request.operation", operation.get()));
    }
    var namespaces = new ArrayList<Value>();
    context
        .namespaces()
        .forEach((name, labels) ->
            namespaces.add(Value.Mapping.EMPTY.with("name", name).with("labels", labels)));
    var rules = new ArrayList<Value>();
    context
        .values()
        .forEach((rule, entries) ->
            rules.add(
                Value.Mapping.EMPTY.with("name", rule).with("values", new Value.Mapping(entries))));
    var deleted = operation.filter("DELETE"::equals).isPresent();
    var named = new ArrayList<Value>();
    for (var policy : policies) {
      if (policy.mapping("spec").field("rules").isPresent() && (deleted || !rules.isEmpty())) {
        named.add(
            Value.Mapping.EMPTY
                .with("name", policy.mapping("metadata").text("name").orElse(""))
                .with("rules", new Value.Sequence(rules))
                .with("resources", deleted ? namespaces(context) : new Value.Sequence(List.of())));
      }
    }
    return write(
        folder.resolve("values.yaml"),
        List.of(
            values
                .with("policies", new Value.Sequence(named))
                .with("namespaceSelector", new Value.Sequence(namespaces))));
  }

  /// Returns the namespaces of the requests, which the command line does not know for deleted
  /// objects.
  private static Value namespaces(ClusterContext context) {
    var resources = new ArrayList<Value>();
    for (var resource : context.judged()) {
      var metadata = resource.mapping("metadata");
      var namespace = new Value.Text(metadata.text("namespace").orElse("default"));
      resources.add(
          Value.Mapping.EMPTY
              .with("name", metadata.text("name").orElse(""))
              .with("values", Value.Mapping.EMPTY.with("request.namespace", namespace)));
    }
    return new Value.Sequence(resources);
  }

  /// Writes the context file. The judged resources are in the cluster, too; a kind that no policy
  /// reads does not matter.
  private Path context(List<Value.Mapping> resources, ClusterContext context) throws IOException {
    var known = new ArrayList<Value>(context.objects());
    var kinds = new HashSet<Optional<String>>();
    context.objects().forEach(object -> kinds.add(object.text("kind")));
    for (var resource : resources) {
      if (!kinds.contains(resource.text("kind"))) {
        continue;
      }
      var metadata = resource.mapping("metadata");
      known.add(context.everywhere() ? withoutNamespace(resource, metadata) : resource);
    }
    var spec = Value.Mapping.EMPTY.with("resources", new Value.Sequence(known));
    return write(folder.resolve("context.yaml"), List.of(object("Context").with("spec", spec)));
  }

  private static Value.Mapping withoutNamespace(Value.Mapping resource, Value.Mapping metadata) {
    var fields = new LinkedHashMap<>(metadata.fields());
    fields.remove("namespace");
    return resource.with("metadata", new Value.Mapping(fields));
  }

  private static Value.Mapping object(String kind) {
    return Value.Mapping.EMPTY
        .with("apiVersion", "cli.kyverno.io/v1alpha1")
        .with("kind", kind)
        .with("metadata", Value.Mapping.EMPTY.with("name", "any"));
  }

  static Path write(Path file, List<Value.Mapping> objects) throws IOException {
    var text = new StringBuilder();
    objects.forEach(object -> text.append("---\n").append(Json.write(object)).append('\n'));
    return Files.writeString(file, text);
  }
}
