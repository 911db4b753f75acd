package dev.policysync.lint.expression;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A parsed CEL expression. Whether a function exists is not checked, because Kubernetes and
/// Kyverno add libraries of their own.
public sealed interface Cel {
  /// An expression that parses.
  ///
  /// @param always the value for every object, if the text alone shows it: `true`
  /// @param variables the fields of `variables` that the expression reads: `allowed` in `object.x
  ///   in variables.allowed`
  /// @param names the functions that the expression calls, and the variables that none of its loops
  ///   defines
  /// @param type the type of the value, if the text shows it
  /// @param mismatches operators and functions with operands that they do not take
  record Parsed(
      Optional<Boolean> always,
      Set<String> variables,
      CelNames names,
      CelType type,
      List<CelMismatch> mismatches)
      implements Cel {
    public Parsed {
      variables = Set.copyOf(variables);
      mismatches = List.copyOf(mismatches);
    }
  }

  /// An expression that does not parse.
  ///
  /// @param index the character where parsing stopped; the length of the text if it stopped at the
  ///   end
  /// @param reason a part of a sentence: `"&&" is unexpected here`
  record Invalid(int index, String reason) implements Cel {}

  /// Parses an expression. The first call takes half a second to load the parser.
  static Cel read(String expression) {
    return CelGrammar.read(expression);
  }
}
