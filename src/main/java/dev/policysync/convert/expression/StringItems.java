package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;

/// Lists of strings in a policy, of which no item may get lost: `namespaces: [off]` names no
/// namespace, as YAML takes it for a boolean.
public final class StringItems {
  private StringItems() {}

  /// The items of that field; none if it is missing.
  ///
  /// @throws Untranslatable if it is anything but a list of strings
  public static List<String> of(Value.Mapping holder, String field) {
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
