package dev.policysync.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Texts that occur again and again, by number: rules, kinds, namespaces.
final class Names {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();

  int number(String text) {
    var known = numbers.get(text);
    if (known != null) {
      return known;
    }
    numbers.put(text, texts.size());
    texts.add(text);
    return texts.size() - 1;
  }

  String text(int number) {
    return texts.get(number);
  }
}
