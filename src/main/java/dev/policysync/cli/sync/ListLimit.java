package dev.policysync.cli.sync;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Shortens the lists of a summary to so many entries each, and counts the others by their reason.
///
/// Of each reason at least one entry is shown, if there is room: 200 names that are taken do not
/// hide the one policy that failed in another way.
final class ListLimit {
  /// How many reasons are told apart in what is omitted from one list.
  private static final int REASONS = 10;

  private final int most;
  private final List<Omitted> omitted = new ArrayList<>();

  /// The entries of one list that were left out for one reason.
  ///
  /// @param list its name in the summary: `conflicts`
  /// @param reason that the omitted entries share; empty where they have none, or several
  record Omitted(String list, Optional<String> reason, int count) {}

  /// @param most how many entries a list may have
  ListLimit(int most) {
    this.most = most;
  }

  /// The entries that are shown, in the list's order.
  ///
  /// @param reason by which the others are counted
  <T> List<T> shorten(String list, List<T> all, Function<T, Optional<String>> reason) {
    if (all.size() <= most) {
      return all;
    }
    var chosen = choose(all, reason);
    var shown = new ArrayList<T>(most);
    var rest = new LinkedHashMap<Optional<String>, Integer>();
    for (int i = 0; i < all.size(); i++) {
      if (chosen.contains(i)) {
        shown.add(all.get(i));
      } else {
        rest.merge(reason.apply(all.get(i)), 1, Integer::sum);
      }
    }
    var told = 0;
    for (var entry : rest.entrySet().stream().limit(REASONS).toList()) {
      omitted.add(new Omitted(list, entry.getKey(), entry.getValue()));
      told += entry.getValue();
    }
    var untold = all.size() - shown.size() - told;
    if (untold > 0) {
      omitted.add(new Omitted(list, Optional.empty(), untold));
    }
    return shown;
  }

  /// One entry of each reason, and then the first ones.
  private <T> Set<Integer> choose(List<T> all, Function<T, Optional<String>> reason) {
    var chosen = new HashSet<Integer>();
    var reasons = new HashSet<Optional<String>>();
    for (int i = 0; i < all.size() && chosen.size() < most; i++) {
      if (reasons.add(reason.apply(all.get(i)))) {
        chosen.add(i);
      }
    }
    for (int i = 0; i < all.size() && chosen.size() < most; i++) {
      chosen.add(i);
    }
    return chosen;
  }

  /// The same limit, for entries whose others are counted elsewhere.
  ListLimit uncounted() {
    return new ListLimit(most);
  }

  /// The entries left out of all lists so far.
  List<Omitted> omitted() {
    return omitted;
  }
}
