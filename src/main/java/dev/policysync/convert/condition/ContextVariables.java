package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.JmesPathTranslation;
import dev.policysync.convert.expression.Kind;
import dev.policysync.convert.expression.Roots;
import dev.policysync.convert.expression.Term;
import dev.policysync.convert.expression.Untranslatable;
import java.util.List;
import java.util.Set;

/// Translates the entries of a `context`.
///
/// Source: Kyverno 1.19.0, pkg/engine/context/loaders/variable.go: a variable is computed when an
/// expression mentions it; it is an error if it is null then and has no default.
public final class ContextVariables {
  private static final Set<String> TAKEN = Set.of("request", "element", "elementIndex", "images");

  private static final List<String> KINDS = List.of("variable", "configMap", "apiCall");

  private ContextVariables() {}

  /// Returns the roots with the context entries of a rule or `foreach` added.
  ///
  /// @throws Untranslatable if an entry is of another kind, or in a form that is not translated
  public static Roots of(Value.Mapping holder, Roots roots, ResourceCalls calls) {
    var all = roots;
    for (var entry : holder.items("context")) {
      all = with(entry, all, calls);
    }
    return all;
  }

  private static Roots with(Value written, Roots roots, ResourceCalls calls) {
    if (!(written instanceof Value.Mapping entry)) {
      throw Untranslatable.value(written, "a context entry that is no map", "write a name");
    }
    for (var field : entry.fields().keySet()) {
      if (!field.equals("name") && !KINDS.contains(field)) {
        throw Untranslatable.field(
            entry,
            field,
            "a context entry of kind " + Untranslatable.shown(field),
            "read it in CEL with globalContext.Get() or image libraries");
      }
    }
    var name = name(entry, roots);
    var read = new ResourceRead(entry, roots, calls);
    if (entry.field("variable").isPresent()) {
      return withVariable(name, entry, roots);
    }
    return roots.with(
        name, entry.field("configMap").isPresent() ? new ConfigMapVariable(read) : read::apiCall);
  }

  private record ConfigMapVariable(ResourceRead read) implements Roots.Variable {
    @Override
    public Term in(Bindings bindings) {
      return read.configMap(bindings);
    }

    @Override
    public boolean isConfigMap() {
      return true;
    }
  }

  private static String name(Value.Mapping entry, Roots roots) {
    return entry
        .text("name")
        .filter(text -> text.matches("[A-Za-z][A-Za-z0-9_]*"))
        .filter(text -> !TAKEN.contains(text) && !roots.named().containsKey(text))
        .filter(_ -> KINDS.stream().filter(kind -> entry.field(kind).isPresent()).count() == 1)
        .orElseThrow(() -> unusual(entry));
  }

  private static Untranslatable unusual(Value.Mapping entry) {
    return Untranslatable.value(
        entry, "a context variable in an unusual form", "write a variable in CEL");
  }

  private static Roots withVariable(String name, Value.Mapping entry, Roots roots) {
    var variable = entry.mapping("variable");
    var path = variable.text("jmesPath");
    var value = variable.field("value");
    if (path.isPresent() == value.isPresent()
        || path.filter(text -> text.contains("{{")).isPresent()) {
      throw unusual(entry);
    }
    return roots.with(
        name,
        bindings -> {
          var term =
              value.isPresent()
                  ? substituted(variable, "value", roots, bindings)
                  : JmesPathTranslation.of(path.orElseThrow(), roots, bindings, entry);
          if (value.filter(literal -> !(literal instanceof Value.Text)).isPresent()) {
            throw Untranslatable.value(
                entry, "a context variable whose value is no text", "write a variable in CEL");
          }
          var none = term.is(Kind.NULL);
          if (variable.field("default").isEmpty()) {
            return term.withoutMissing(term.error().or(none));
          }
          return term.orElse(substituted(variable, "default", roots, bindings), bindings);
        });
  }

  private static Term substituted(
      Value.Mapping variable, String field, Roots roots, Bindings bindings) {
    var operand = Operand.of(variable, field, roots, bindings);
    operand.checkFinal(variable, true);
    return operand.term();
  }
}
