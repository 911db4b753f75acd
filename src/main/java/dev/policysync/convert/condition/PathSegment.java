package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.JmesPathTranslation;
import dev.policysync.convert.expression.Kind;
import dev.policysync.convert.expression.Roots;
import dev.policysync.convert.expression.Untranslatable;
import java.util.List;
import java.util.regex.Pattern;

/// A name in an API path, or of a resource to read: written out, or a variable. A string that would
/// change the path (`..`, `a/b`, an empty one) is not a name.
///
/// @param text a CEL expression for the name
/// @param isName tests whether the text is a name
/// @param isEmpty tests whether the text is empty, which makes the path that of all resources
record PathSegment(String text, Cel isName, Cel isEmpty) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.:]*");
  private static final String ANY_NAME = "\"^[A-Za-z0-9][-A-Za-z0-9_.:]*$\"";

  static PathSegment of(String written, Roots roots, Bindings bindings, Value at) {
    var variable = Operand.VARIABLE.matcher(written);
    if (variable.matches()) {
      return variable(variable.group(1).strip(), roots, bindings, at);
    }
    if (!NAME.matcher(written).matches()) {
      throw Untranslatable.value(
          at,
          "a context entry with a name that is not written in full or all of a variable",
          "read it in CEL with resource.Get(), where texts can be joined");
    }
    return new PathSegment(Cel.quoted(written), Cel.TRUE, Cel.FALSE);
  }

  /// Translates a variable. For a namespaced object, the namespace of the request is that of the
  /// object. Without a namespace the path does not lead to a resource, and Kyverno has an error.
  private static PathSegment variable(String expression, Roots roots, Bindings bindings, Value at) {
    var path =
        expression.equals("request.namespace") ? "request.object.metadata.namespace" : expression;
    var term = JmesPathTranslation.of(path, roots, bindings, at);
    var scalar = term.is(Kind.STRING, Kind.NUMBER, Kind.BOOL);
    var text =
        bindings.bind(
            Cel.call("string(" + term.text() + ")").where(scalar, Cel.call("\"\"")).text());
    var isName = term.error().not().and(Cel.call(text + ".matches(" + ANY_NAME + ")"));
    var isEmpty = Cel.all(List.of(term.error().not(), term.is(Kind.STRING), isEmptyString(text)));
    return new PathSegment(text, isName, isEmpty);
  }

  private static Cel isEmptyString(String text) {
    return Cel.comparison(text + " == \"\"");
  }
}
