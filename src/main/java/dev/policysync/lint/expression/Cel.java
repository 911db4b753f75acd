package dev.policysync.lint.expression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A parsed CEL expression. Whether a function exists is not checked, because Kubernetes and
/// Kyverno add libraries of their own.
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
  /// @param type the type of the value, if the text shows it
  /// @param mismatches operators and functions with operands that they do not take
  record Parsed(
      Optional<Boolean> always,
      Map<NameKind, Set<String>> namesByKind,
      CelType type,
      List<Mismatch> mismatches)
      implements Cel {
    public Parsed {
      namesByKind = Map.copyOf(namesByKind);
      mismatches = List.copyOf(mismatches);
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

  /// An operator or function with operands that it does not take.
  ///
  /// @param index the position of the operator or function, in code points
  /// @param function the name in CEL's parser: `_==_`, `startsWith`
  /// @param operands the types of the operands; for a method, the type of its object first
  record Mismatch(int index, String function, List<CelType> operands) {
    public Mismatch {
      operands = List.copyOf(operands);
    }

    /// Returns the operator as an expression writes it: `==` for `_==_`.
    public String operator() {
      return function.equals("_?_:_")
          ? "?:"
          : function.startsWith("@") ? function.substring(1) : function.replace("_", "");
    }
  }
}
