package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.util.regex.Pattern;

/// Finds the fields that CEL names, as a pattern for making objects: `object.spec.replicas > 3`
/// gives `spec.replicas`. Fields of list items are not found.
final class CelPaths {
  private static final Pattern PATH = Pattern.compile("bject((?:\\.\\??[A-Za-z][A-Za-z0-9]*)+)");
  private static final Pattern TEXT = Pattern.compile("'([^']{1,60})'");

  private CelPaths() {}

  static Value pattern(Value.Mapping cel) {
    var written = Json.write(cel);
    var texts = TEXT.matcher(written).results().map(match -> match.group(1)).toList();
    var literal = texts.isEmpty() ? "x" : String.join("|", texts);
    var pattern = Value.Mapping.EMPTY;
    for (var path : PATH.matcher(written).results().map(match -> match.group(1)).toList()) {
      var steps = path.substring(1).replace("?", "").split("\\.");
      pattern = put(pattern, steps, 0, literal);
    }
    return pattern;
  }

  private static Value.Mapping put(Value.Mapping below, String[] steps, int at, String literal) {
    if (at == steps.length) {
      return below;
    }
    var held = below.mapping(steps[at]);
    return at == steps.length - 1 && held.fields().isEmpty()
        ? below.with(steps[at], new Value.Text(literal))
        : below.with(steps[at], put(held, steps, at + 1, literal));
  }
}
