package dev.policysync.lint.expression;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A parsed CEL expression. What a kind of policy declares for it is checked by [CelScope].
public sealed interface Cel {
  /// Parses an expression. The first call takes half a second to load the parser.
  static Cel read(String expression) {
    return CelGrammar.read(expression);
  }

  /// An expression that does not parse.
  ///
  /// @param index the character where parsing stopped; the length of the text if it stopped at the
  ///   end
  /// @param reason a part of a sentence: `"&&" is unexpected here`
  record Invalid(int index, String reason) implements Cel {}

  /// An expression that parses.
  ///
  /// @param always the value for every object, if the text alone shows it: `true`
  /// @param namesByKind the names that the expression uses
  record Parsed(Optional<Boolean> always, Map<NameKind, Set<String>> namesByKind) implements Cel {
    public Parsed {
      namesByKind = Map.copyOf(namesByKind);
    }

    public Set<String> names(NameKind kind) {
      return namesByKind.getOrDefault(kind, Set.of());
    }
  }

  /// What an expression names.
  enum NameKind {
    /// A function that it calls: `startsWith`, `Get`.
    FUNCTION,
    /// A variable that no loop of the expression defines: `object`, `math`.
    IDENTIFIER,
    /// A field of `variables` that it reads: `allowed` in `object.x in variables.allowed`.
    VARIABLE,
    /// A field of the request that it reads: `operation`, `userInfo.groups`.
    REQUEST_FIELD,
    /// A message that it builds: `Object.spec`, `JSONPatch`.
    MESSAGE
  }

  /// A part of an expression that the compiler of a policy rejects.
  ///
  /// @param index the position of the part, in code points
  /// @param reason what is wrong, in words
  record Problem(int index, String reason) {}

  /// Returns an operator as an expression writes it: `==` for `_==_`; the name of a function.
  static String operator(String function) {
    return function.equals("_?_:_")
        ? "?:"
        : function.startsWith("@") ? function.substring(1) : function.replace("_", "");
  }
}
