package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.convert.jmespath.JmesPathTranslation;
import dev.policysync.convert.jmespath.Kind;
import dev.policysync.convert.jmespath.Roots;
import dev.policysync.json.Value;
import java.util.Set;

/// The variables of a `context`.
///
/// Source: Kyverno 1.19.0, pkg/engine/context/loaders/variable.go: a variable is computed when an
/// expression mentions it; it is an error if it is null then and has no default.
public final class ContextVariables {
  private static final Set<String> TAKEN = Set.of("request", "element", "elementIndex", "images");

  private ContextVariables() {}

  /// What expressions may begin with where those of that mapping are defined.
  ///
  /// @throws Untranslatable if one is no variable, or not one of this subset
  public static Roots of(Value.Mapping holder, Roots roots) {
    var all = roots;
    for (var entry : holder.items("context")) {
      all = with(entry, all);
    }
    return all;
  }

  private static Roots with(Value written, Roots roots) {
    if (!(written instanceof Value.Mapping entry)) {
      throw Untranslatable.value(written, "a context entry that is no map", "write a name");
    }
    for (var field : entry.fields().keySet()) {
      if (!field.equals("name") && !field.equals("variable")) {
        throw Untranslatable.field(
            entry,
            field,
            "a context entry of kind " + Untranslatable.shown(field),
            "read it in CEL with resource.Get(), globalContext.Get() or image libraries");
      }
    }
    var name = entry.text("name").filter(text -> text.matches("[A-Za-z][A-Za-z0-9_]*"));
    var variable = entry.mapping("variable");
    var path = variable.text("jmesPath");
    var value = variable.field("value");
    if (name.isEmpty()
        || TAKEN.contains(name.orElse(""))
        || roots.named().containsKey(name.orElse(""))
        || path.isPresent() == value.isPresent()
        || path.filter(text -> text.contains("{{")).isPresent()) {
      throw Untranslatable.value(
          entry, "a context variable in an unusual form", "write a variable in CEL");
    }
    return roots.with(
        name.orElseThrow(),
        bindings -> {
          var term =
              value.isPresent()
                  ? Operand.of(variable, "value", roots, bindings).term()
                  : JmesPathTranslation.of(path.orElseThrow(), roots, bindings, entry);
          if (value.filter(literal -> !(literal instanceof Value.Text)).isPresent()) {
            throw Untranslatable.value(
                entry, "a context variable in an unusual form", "write a variable in CEL");
          }
          var none = term.is(Kind.NULL);
          if (variable.field("default").isEmpty()) {
            return term.withoutMissing(term.error().or(none));
          }
          return term.orElse(Operand.of(variable, "default", roots, bindings).term(), bindings);
        });
  }
}
