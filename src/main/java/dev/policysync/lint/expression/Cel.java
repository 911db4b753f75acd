package dev.policysync.lint.expression;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A CEL expression as its grammar has it. Types are not looked at, nor whether a function exists:
/// Kubernetes and Kyverno add libraries of their own.
public sealed interface Cel {
  /// One that can be read.
  ///
  /// @param always what it is for every object, if that can be seen from the text alone: `true`
  /// @param variables what it asks `variables` for: `allowed` in `object.x in variables.allowed`
  /// @param names the functions and the variables outside of loops that it uses
  /// @param type of its value, where the text tells it
  /// @param mismatches operators with operands that they do not take
  record Sound(
      Optional<Boolean> always,
      Set<String> variables,
      CelNames names,
      CelType type,
      List<CelMismatch> mismatches)
      implements Cel {
    public Sound {
      variables = Set.copyOf(variables);
      mismatches = List.copyOf(mismatches);
    }
  }

  /// One that breaks the grammar.
  ///
  /// @param index the character where reading stopped; the length of the text at its end
  /// @param reason a part of a sentence: `"&&" is unexpected here`
  record Broken(int index, String reason) implements Cel {}

  /// Reads an expression. The first one takes half a second for loading the parser.
  static Cel read(String expression) {
    return CelGrammar.read(expression);
  }
}
