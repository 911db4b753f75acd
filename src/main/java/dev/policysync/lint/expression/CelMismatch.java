package dev.policysync.lint.expression;

import java.util.List;

/// An operator or function with operands that it does not take.
///
/// @param index the position of the operator or function, in code points
/// @param function the name in CEL's parser: `_==_`, `startsWith`
/// @param operands the types of the operands; for a method, the type of its object first
public record CelMismatch(int index, String function, List<CelType> operands) {
  public CelMismatch {
    operands = List.copyOf(operands);
  }

  /// Returns the operator as an expression writes it: `==` for `_==_`.
  public String operator() {
    return function.equals("_?_:_")
        ? "?:"
        : function.startsWith("@") ? function.substring(1) : function.replace("_", "");
  }
}
