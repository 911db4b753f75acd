package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;

/// Reads lists of strings in a policy, so that no item gets lost: `namespaces: [off]` would name no
/// namespace, because YAML reads `off` as a boolean.
final class StringItems {
  private StringItems() {}

  /// Returns the items of the field; none if the field is missing.
  ///
  /// @throws Untranslatable if the field is anything but a list of strings
  static List<String> of(Value.Mapping holder, String field) {
    var texts = new ArrayList<String>();
    for (var item : holder.items(field)) {
      if (!(item instanceof Value.Text(var text))) {
        throw Untranslatable.value(item, "an item that is no string", "quote it");
      }
      texts.add(text);
    }
    if (texts.isEmpty() && holder.field(field).isPresent() && !isList(holder, field)) {
      throw Untranslatable.field(holder, field, "a list of strings that is none", "write a list");
    }
    return texts;
  }

  private static boolean isList(Value.Mapping holder, String field) {
    return holder.fields().get(field) instanceof Value.Sequence;
  }
}
