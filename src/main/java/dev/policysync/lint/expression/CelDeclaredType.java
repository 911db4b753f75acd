package dev.policysync.lint.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A type in a declaration of CEL: `string`, `list(string)`, `kyverno.image`, `<A>` for any type
/// that is the same in the whole declaration.
///
/// @param name without parameters: `list`
record CelDeclaredType(String name, List<CelDeclaredType> parameters) {
  static final CelDeclaredType DYN = of("dyn");

  /// A type that cannot be derived here, while CEL's own checker may know it.
  static final CelDeclaredType UNKNOWN = of("?");

  static final CelDeclaredType BOOL = of("bool");
  static final CelDeclaredType STRING = of("string");
  static final CelDeclaredType NULL = of("null");

  private static final Set<String> PRIMITIVES =
      Set.of("bool", "int", "uint", "double", "string", "bytes");

  /// The types that have methods and no fields.
  private static final Set<String> WITHOUT_FIELDS =
      Set.of(
          "list",
          "null",
          "kyverno.image",
          "kubernetes.Quantity",
          "kubernetes.URL",
          "kubernetes.Semver",
          "kubernetes.NamedFormat",
          "net.IP",
          "net.CIDR",
          "google.protobuf.Duration",
          "google.protobuf.Timestamp");

  CelDeclaredType {
    parameters = List.copyOf(parameters);
  }

  static CelDeclaredType of(String name, CelDeclaredType... parameters) {
    return new CelDeclaredType(name, List.of(parameters));
  }

  static CelDeclaredType list(CelDeclaredType items) {
    return of("list", items);
  }

  static CelDeclaredType optional(CelDeclaredType value) {
    return of("optional_type", value);
  }

  /// Parses `map(string, list(<A>))`.
  static CelDeclaredType parse(String text) {
    var open = text.indexOf('(');
    if (open < 0) {
      return of(
          switch (text) {
            case "google.protobuf.Any", "error" -> "dyn";
            case "null_type" -> "null";
            default -> text;
          });
    }
    var parameters = new ArrayList<CelDeclaredType>();
    var depth = 0;
    var begin = open + 1;
    for (int i = begin; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '(' -> depth++;
        case ')', ',' -> {
          if (depth == 0) {
            parameters.add(parse(text.substring(begin, i).strip()));
            begin = i + 1;
          } else if (text.charAt(i) == ')') {
            depth--;
          }
        }
        default -> {}
      }
    }
    return new CelDeclaredType(text.substring(0, open), parameters);
  }

  /// Returns whether a value may be of any type.
  boolean isDyn() {
    return name.equals("dyn") || isUnknown();
  }

  boolean isUnknown() {
    return name.equals("?");
  }

  boolean isPrimitive() {
    return PRIMITIVES.contains(name);
  }

  boolean isVariable() {
    return name.startsWith("<");
  }

  boolean hasNoFields() {
    return isPrimitive() || WITHOUT_FIELDS.contains(name);
  }

  /// Returns whether null is a value of the type.
  boolean takesNull() {
    return !isPrimitive() && !name.equals("list") && !name.equals("map");
  }

  /// Returns parameter `index`; any type if there is none.
  CelDeclaredType parameter(int index) {
    return index < parameters.size() ? parameters.get(index) : DYN;
  }

  @Override
  public String toString() {
    var last = name.substring(name.lastIndexOf('.') + 1);
    return parameters.isEmpty()
        ? last
        : last + parameters.toString().replace('[', '(').replace(']', ')');
  }
}
