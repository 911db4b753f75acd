package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Translates the entries of a `context`.
///
/// Source: Kyverno 1.19.0, pkg/engine/context/loaders and pkg/engine/apicall: a variable is
/// computed when an expression mentions it; it is an error if it is null then and has no default. A
/// resource that does not exist or may not be read is an error; a configMap has `metadata` and
/// `data`, which is null if there is none. `resource.Get()` (kyverno/sdk) is null if the resource
/// does not exist, and an error if reading is forbidden; `resource.List()` is an error in both
/// cases.
final class ContextVariables {
  private static final Set<String> TAKEN = Set.of("request", "element", "elementIndex", "images");

  private static final List<String> KINDS = List.of("variable", "configMap", "apiCall");

  private static final List<String> OF_CONFIG_MAP = List.of("namespace", "name");

  private static final Set<String> OF_API_CALL = Set.of("jmesPath", "method", "urlPath");

  /// The number of arguments of `resource.List(apiVersion, resource, namespace)`.
  private static final int LIST_ARGUMENTS = 3;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.:]*");

  private final Value.Mapping entry;
  private final Roots roots;
  private final ResourceCalls calls;

  private ContextVariables(Value.Mapping entry, Roots roots, ResourceCalls calls) {
    this.entry = entry;
    this.roots = roots;
    this.calls = calls;
  }

  /// Returns the roots with the context entries of a rule or `foreach` added.
  ///
  /// @throws Untranslatable if an entry is of another kind, or in a form that is not translated
  static Roots of(Value.Mapping holder, Roots roots, ResourceCalls calls) {
    var all = roots;
    for (var written : holder.items("context")) {
      if (!(written instanceof Value.Mapping entry)) {
        throw Untranslatable.value(written, "a context entry that is no map", "write a name");
      }
      all = new ContextVariables(entry, all, calls).added();
    }
    return all;
  }

  private Roots added() {
    Untranslatable.checkFields(
        entry,
        Set.of("name", "variable", "configMap", "apiCall"),
        field -> "a context entry of kind " + field,
        "read it in CEL with globalContext.Get() or image libraries");
    var name =
        entry
            .text("name")
            .filter(text -> text.matches("[A-Za-z][A-Za-z0-9_]*"))
            .filter(text -> !TAKEN.contains(text) && !roots.named().containsKey(text))
            .filter(_ -> KINDS.stream().filter(kind -> entry.field(kind).isPresent()).count() == 1)
            .orElseThrow(this::unusual);
    if (entry.field("configMap").isPresent()) {
      return roots.with(name, new ConfigMapVariable(this));
    }
    if (entry.field("apiCall").isPresent()) {
      return roots.with(name, this::apiCall);
    }
    var variable = entry.mapping("variable");
    var path = variable.text("jmesPath");
    if (path.isPresent() == variable.field("value").isPresent()
        || path.filter(text -> text.contains("{{")).isPresent()) {
      throw unusual();
    }
    return roots.with(name, bindings -> variable(variable, bindings));
  }

  private record ConfigMapVariable(ContextVariables entry) implements Roots.Variable {
    @Override
    public Term in(Bindings bindings) {
      return entry.configMap(bindings);
    }

    @Override
    public boolean isConfigMap() {
      return true;
    }
  }

  private Untranslatable unusual() {
    return Untranslatable.value(
        entry, "a context variable in an unusual form", "write a variable in CEL");
  }

  private Term variable(Value.Mapping variable, Bindings bindings) {
    var path = variable.text("jmesPath");
    var term =
        path.isPresent()
            ? JmesPathTranslation.of(path.get(), roots, bindings, entry)
            : substituted(variable, "value", bindings);
    if (variable.field("value").filter(literal -> !(literal instanceof Value.Text)).isPresent()) {
      throw Untranslatable.value(
          entry, "a context variable whose value is no text", "write a variable in CEL");
    }
    return variable.field("default").isEmpty()
        ? term.withoutMissing(term.error().or(term.is(JsonType.NULL)))
        : term.orElse(substituted(variable, "default", bindings), bindings);
  }

  private Term substituted(Value.Mapping variable, String field, Bindings bindings) {
    var operand = Operand.of(variable, field, roots, bindings);
    operand.checkFinal(variable, true);
    return operand.term();
  }

  private Term configMap(Bindings bindings) {
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
    return Term.of(bindings.bind(value), EnumSet.of(JsonType.MAP, JsonType.NULL))
        .withoutMissing(missing(read))
        .withOrigin(Optional.of(Origin.of(Set.of("ConfigMap"))));
  }

  private Term apiCall(Bindings bindings) {
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
        Term.of(read, EnumSet.of(JsonType.MAP, JsonType.NULL))
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
      var segment = segment(name, bindings);
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
    Untranslatable.checkFields(
        holder,
        known,
        field -> field + " in a context entry of kind " + kind,
        "CEL cannot tell why reading failed, and calls no services; write it by hand");
  }

  /// A name in an API path, or of a resource to read: written out, or a variable. A string that
  /// would change the path (`..`, `a/b`, an empty one) is not a name.
  ///
  /// @param text a CEL expression for the name
  /// @param isName tests whether the text is a name
  /// @param isEmpty tests whether the text is empty, which makes the path that of all resources
  private record Segment(String text, Cel isName, Cel isEmpty) {}

  /// Translates a name. For a namespaced object, the namespace of the request is that of the
  /// object. Without a namespace the path does not lead to a resource, and Kyverno has an error.
  private Segment segment(String written, Bindings bindings) {
    var variable = Operand.VARIABLE.matcher(written);
    if (!variable.matches()) {
      if (!NAME.matcher(written).matches()) {
        throw Untranslatable.value(
            entry,
            "a context entry with a name that is not written in full or all of a variable",
            "read it in CEL with resource.Get(), where texts can be joined");
      }
      return new Segment(Cel.quoted(written), Cel.TRUE, Cel.FALSE);
    }
    var expression = variable.group(1).strip();
    var path =
        expression.equals("request.namespace") ? "request.object.metadata.namespace" : expression;
    var term = JmesPathTranslation.of(path, roots, bindings, entry);
    var scalar = term.is(JsonType.STRING, JsonType.NUMBER, JsonType.BOOL);
    var text =
        bindings.bind(
            Cel.call("string(" + term.text() + ")").where(scalar, Cel.call("\"\"")).text());
    var isEmpty = Cel.comparison(text + " == \"\"");
    return new Segment(
        text,
        term.error().not().and(Cel.matches(text, "^" + NAME + "$")),
        Cel.all(List.of(term.error().not(), term.is(JsonType.STRING), isEmpty)));
  }

  /// The path of an `apiCall`: `/apis/apps/v1/namespaces/{{request.namespace}}/deployments`. It
  /// leads to one resource, or to all resources of a kind in a namespace or in the cluster.
  ///
  /// @param function the CEL function that reads the same: `Get`, `List`
  /// @param names the namespace, which may be empty, and the name of a single resource
  private record ApiPath(String apiVersion, String resource, String function, List<String> names) {
    private static final Pattern LITERAL = Pattern.compile("[a-z0-9][-a-z0-9.]*");

    /// Subresources of a Namespace, which look like resources in it.
    private static final Set<String> OF_NAMESPACE = Set.of("finalize", "status");

    /// The kinds of resources whose fields [Origin] knows.
    private static final Map<String, Set<String>> KINDS =
        Map.of(
            "v1/configmaps", Set.of("ConfigMap"),
            "v1/persistentvolumeclaims", Set.of("PersistentVolumeClaim"),
            "v1/pods", Set.of("Pod"),
            "v1/secrets", Set.of("Secret"),
            "v1/services", Set.of("Service"),
            "networking.k8s.io/v1/ingresses", Set.of("Ingress"),
            "policy/v1/poddisruptionbudgets", Set.of("PodDisruptionBudget"));

    ApiPath {
      names = List.copyOf(names);
    }

    /// Parses the `urlPath` of an `apiCall`.
    ///
    /// @throws Untranslatable if the path leads to anything but a resource or a list of resources
    static ApiPath of(Value.Mapping apiCall) {
      var path = apiCall.text("urlPath").orElse("");
      if (path.contains("?")) {
        throw refused(
            apiCall, "an apiCall with a query", "read all with resource.List() and filter");
      }
      var parts = new ArrayList<>(Arrays.asList(path.split("/(?![^{]*\\}\\})", -1)));
      if (parts.size() < 3 || !parts.removeFirst().isEmpty()) {
        throw unknown(apiCall);
      }
      var apiVersion =
          switch (parts.removeFirst()) {
            case "api" -> literal(parts, apiCall);
            case "apis" -> literal(parts, apiCall) + "/" + literal(parts, apiCall);
            default -> throw unknown(apiCall);
          };
      var namespace = "";
      if (parts.size() > 2 && parts.getFirst().equals("namespaces")) {
        parts.removeFirst();
        namespace = parts.removeFirst();
      }
      var resource = literal(parts, apiCall);
      if (!namespace.isEmpty() && OF_NAMESPACE.contains(resource)) {
        throw unknown(apiCall);
      }
      return switch (parts.size()) {
        case 0 -> new ApiPath(apiVersion, resource, "List", List.of(namespace));
        case 1 -> new ApiPath(apiVersion, resource, "Get", List.of(namespace, parts.getFirst()));
        default -> throw unknown(apiCall);
      };
    }

    Origin origin() {
      var kind = KINDS.getOrDefault(apiVersion + "/" + resource, Set.of());
      return function.equals("List") ? Origin.ofList(kind) : Origin.of(kind);
    }

    private static String literal(List<String> parts, Value.Mapping apiCall) {
      if (parts.isEmpty() || !LITERAL.matcher(parts.getFirst()).matches()) {
        throw unknown(apiCall);
      }
      return parts.removeFirst();
    }

    private static Untranslatable unknown(Value.Mapping apiCall) {
      return refused(
          apiCall,
          "an apiCall of anything but a resource or a list of resources",
          "read it in CEL with resource.Get() or resource.List()");
    }

    private static Untranslatable refused(Value.Mapping apiCall, String construct, String advice) {
      return Untranslatable.field(apiCall, "urlPath", construct, advice);
    }
  }
}
