package dev.policysync.lint.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.DocumentLimit;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the operations of a JSON patch that is written as YAML in a string, with variables.
final class PatchOperations {
  static final Set<String> KNOWN = Set.of("add", "remove", "replace", "move", "copy", "test");
  static final Set<String> WITH_VALUE = Set.of("add", "replace", "test");

  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(?:\\{[^{}]*\\}|[^{}])*\\}\\}");

  private static final long LIMIT = 16 << 20;

  private PatchOperations() {}

  /// Returns the operations, each variable replaced by a word as Kyverno does; empty if the patch
  /// is not a list of mappings.
  static Optional<List<Value.Mapping>> parse(String patch) {
    var plain = VARIABLE.matcher(patch).replaceAll("kyvernojsonpatchvariable");
    var operations = new ArrayList<Value.Mapping>();
    var sound = new ArrayList<Boolean>();
    YamlStream.read(
        plain.getBytes(UTF_8),
        DocumentLimit.of(LIMIT),
        document -> {
          if (document instanceof YamlDocument.WellFormed(_, Value.Sequence(var items), _, _, _)) {
            items.forEach(item -> {
              if (item instanceof Value.Mapping mapping) {
                operations.add(mapping);
              } else {
                sound.add(false);
              }
            });
          } else if (!(document instanceof YamlDocument.WellFormed(_, Value.Null(), _, _, _))) {
            sound.add(false);
          }
        });
    return sound.isEmpty() ? Optional.of(operations) : Optional.empty();
  }
}
