package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.JmesPathTranslation;
import dev.policysync.convert.expression.Kind;
import dev.policysync.convert.expression.Origin;
import dev.policysync.convert.expression.Roots;
import dev.policysync.convert.expression.Term;
import dev.policysync.convert.expression.Untranslatable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Translates a context entry that Kyverno reads from the cluster: `configMap` and `apiCall`.
///
/// Source: Kyverno 1.19.0, pkg/engine/context/loaders and pkg/engine/apicall: a resource that does
/// not exist or may not be read is an error; a configMap has `metadata` and `data`, which is null
/// if there is none. `resource.Get()` (kyverno/sdk) is null if the resource does not exist, and an
/// error if reading is forbidden; `resource.List()` is an error in both cases.
final class ResourceRead {
  private static final List<String> OF_CONFIG_MAP = List.of("namespace", "name");

  /// The number of arguments of `resource.List(apiVersion, resource, namespace)`.
  private static final int LIST_ARGUMENTS = 3;

  private static final Set<String> OF_API_CALL = Set.of("jmesPath", "method", "urlPath");

  private final Value.Mapping entry;
  private final Roots roots;
  private final ResourceCalls calls;

  ResourceRead(Value.Mapping entry, Roots roots, ResourceCalls calls) {
    this.entry = entry;
    this.roots = roots;
    this.calls = calls;
  }

  Term configMap(Bindings bindings) {
    var configMap = entry.mapping("configMap");
    check(configMap, Set.copyOf(OF_CONFIG_MAP), "configMap");
    var names = OF_CONFIG_MAP.stream().map(field -> configMap.text(field).orElse("")).toList();
    if (names.contains("")) {
      throw Untranslatable.value(
          entry, "a configMap without name or namespace", "write both; Kyverno asks for them");
    }
    var read =
        bindings.bind(call("Get", List.of("v1", "configmaps"), names, bindings.standalone()));
    var data = "\"data\": has(" + read + ".data) ? dyn(" + read + ".data) : dyn(null)";
    var context = "dyn({" + data + ", \"metadata\": dyn(" + read + ".metadata)})";
    var value = Cel.call("dyn(null)").where(missing(read), Cel.call(context)).text();
    return Term.of(bindings.bind(value), EnumSet.of(Kind.MAP, Kind.NULL))
        .withoutMissing(missing(read))
        .withOrigin(Optional.of(Origin.of(Set.of("ConfigMap"))));
  }

  Term apiCall(Bindings bindings) {
    var apiCall = entry.mapping("apiCall");
    check(apiCall, OF_API_CALL, "apiCall");
    if (!apiCall.text("method").orElse("GET").equals("GET")) {
      throw Untranslatable.field(
          apiCall, "method", "an apiCall that is no GET", "read what it tells in another way");
    }
    var path = ApiPath.of(apiCall);
    var arguments = List.of(path.apiVersion(), path.resource());
    var read = bindings.bind(call(path.function(), arguments, path.names(), bindings.standalone()));
    var document =
        Term.of(read, EnumSet.of(Kind.MAP, Kind.NULL))
            .withoutMissing(missing(read))
            .withOrigin(Optional.of(path.origin()));
    var jmesPath = apiCall.text("jmesPath").filter(text -> !text.isEmpty());
    if (jmesPath.isEmpty()) {
      return document;
    }
    var selected =
        JmesPathTranslation.ofDocument(
            jmesPath.get(), document.withoutMissing(Cel.FALSE), roots, bindings, apiCall);
    return selected.withoutMissing(missing(read).or(selected.error()));
  }

  private static Cel missing(String read) {
    return Cel.comparison(read + " == null");
  }

  /// Returns the name of a call that yields null if the resource does not exist, or if a name is
  /// not valid. A path with an empty name is that of all resources.
  private String call(
      String function, List<String> literals, List<String> names, Bindings bindings) {
    var arguments = new ArrayList<>(literals.stream().map(Cel::quoted).toList());
    var valid = Cel.TRUE;
    var all = Cel.call("dyn(null)");
    for (var name : names) {
      if (name.isEmpty()) {
        arguments.add("\"\"");
        continue;
      }
      var segment = PathSegment.of(name, roots, bindings, entry);
      if (arguments.size() == LIST_ARGUMENTS && entry.field("apiCall").isPresent()) {
        all = read("List", arguments).where(valid.and(segment.isEmpty()), all);
      }
      arguments.add(segment.text());
      valid = valid.and(segment.isName());
    }
    var read = read(function, arguments).where(valid, all);
    return calls.name(bindings.wrap(read).text(), function.equals("List"));
  }

  private static Cel read(String function, List<String> arguments) {
    return Cel.call("dyn(resource." + function + "(" + String.join(", ", arguments) + "))");
  }

  private static void check(Value.Mapping holder, Set<String> known, String kind) {
    for (var field : holder.fields().keySet()) {
      if (!known.contains(field)) {
        throw Untranslatable.field(
            holder,
            field,
            Untranslatable.shown(field) + " in a context entry of kind " + kind,
            "CEL cannot tell why reading failed, and calls no services; write it by hand");
      }
    }
  }
}
