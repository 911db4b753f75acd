package dev.policysync.cli.sync;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Shortens each list of a summary to a maximum number of entries, and counts the omitted ones by
/// reason.
///
/// At least one entry of each reason is shown, if there is room, so that 200 name conflicts do not
/// hide the one policy that failed for another reason.
final class ListLimit {
  /// The maximum number of reasons that are counted separately per list.
  private static final int REASONS = 10;

  private final int most;
  private final List<Omitted> omitted = new ArrayList<>();

  /// The entries of one list that were omitted for one reason.
  ///
  /// @param list the list's name in the summary: `conflicts`
  /// @param reason the reason of the omitted entries; empty if they have none or several
  record Omitted(String list, Optional<String> reason, int count) {}

  /// @param most the maximum number of entries in a list
  ListLimit(int most) {
    this.most = most;
  }

  /// Returns the entries to show, in the list's order, and counts the others.
  ///
  /// @param reason returns the reason by which an omitted entry is counted
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
    var counted = 0;
    for (var entry : rest.entrySet().stream().limit(REASONS).toList()) {
      omitted.add(new Omitted(list, entry.getKey(), entry.getValue()));
      counted += entry.getValue();
    }
    var untold = all.size() - shown.size() - counted;
    if (untold > 0) {
      omitted.add(new Omitted(list, Optional.empty(), untold));
    }
    return shown;
  }

  /// Chooses one entry of each reason, then the first ones.
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

  /// Returns a limit with the same maximum, for lists whose omitted entries are counted elsewhere.
  ListLimit uncounted() {
    return new ListLimit(most);
  }

  List<Omitted> omitted() {
    return omitted;
  }
}
