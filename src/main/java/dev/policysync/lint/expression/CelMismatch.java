package dev.policysync.lint.expression;

import java.util.List;

/// An operator or function with operands that it does not take.
///
/// @param index where it is, in code points
/// @param function as CEL's parser calls it: `_==_`, `startsWith`
/// @param operands the types of what it is applied to, a method's object first
public record CelMismatch(int index, String function, List<CelType> operands) {
  public CelMismatch {
    operands = List.copyOf(operands);
  }

  /// `==` for `_==_`.
  public String operator() {
    return function.equals("_?_:_")
        ? "?:"
        : function.startsWith("@") ? function.substring(1) : function.replace("_", "");
  }
}
