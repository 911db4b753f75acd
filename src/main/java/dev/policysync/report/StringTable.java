package dev.policysync.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A table that assigns numbers to frequent texts: rules, kinds, namespaces. In a spilled result a
/// number takes one or two bytes.
final class StringTable {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();

  public int number(String text) {
    var known = numbers.get(text);
    if (known != null) {
      return known;
    }
    numbers.put(text, texts.size());
    texts.add(text);
    return texts.size() - 1;
  }

  public String text(int number) {
    return texts.get(number);
  }
}
