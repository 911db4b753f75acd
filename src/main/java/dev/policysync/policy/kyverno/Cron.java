package dev.policysync.policy.kyverno;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Checks schedules as Kyverno reads them: five fields, or a name such as `@hourly`
/// (<https://pkg.go.dev/github.com/robfig/cron/v3>). For deleting policies, Kyverno uses another
/// library (`dpol.Validate` of 1.19,
/// <https://github.com/aptible/supercronic/tree/master/cronexpr>), which reads a year in the sixth
/// field, and seconds in the first of seven fields. Neither takes a time zone (seen with 1.19.0).
public final class Cron {
  private static final Set<String> NAMES =
      Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
  private static final Pattern EVERY =
      Pattern.compile("@every\\s+(\\d+(?:\\.\\d+)?(?:ns|us|µs|ms|s|m|h))+");

  private static final Pattern PART =
      Pattern.compile("(?:(\\*|\\?)|(\\w+)(?:-(\\w+))?)(?:/(\\d{1,9}))?");
  private static final List<Field> FIELDS =
      List.of(
          new Field("minute", 0, 59, List.of()),
          new Field("hour", 0, 23, List.of()),
          new Field("day of the month", 1, 31, List.of()),
          new Field(
              "month",
              1,
              12,
              List.of(
                  "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                  "dec")),
          new Field("weekday", 0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

  private static final Field YEAR = new Field("year", 1970, 2099, List.of());
  private static final Field SECOND = new Field("second", 0, 59, List.of());

  /// What only the schedules of deleting policies have: the last day, the nearest weekday, the nth
  /// weekday of a month.
  private static final Pattern SPECIAL = Pattern.compile(".*(\\d[lL#]|[lL]|\\d[wW]|[wW]).*");

  private Cron() {}

  /// @param names the names of the values, starting with `least`
  private record Field(String label, int least, int most, List<String> names) {
    private boolean takes(String text) {
      for (var part : text.split(",", -1)) {
        var matcher = PART.matcher(part);
        if (!matcher.matches() || "0".equals(matcher.group(4))) {
          return false;
        }
        if (matcher.group(1) == null && !inOrder(matcher.group(2), matcher.group(3))) {
          return false;
        }
      }
      return true;
    }

    private boolean inOrder(String from, String to) {
      var first = number(from);
      var last = to == null ? first : number(to);
      return first >= least && last <= most && first <= last;
    }

    /// Returns a number above every maximum for a text that is not a number.
    private int number(String text) {
      var name = names.indexOf(text.toLowerCase(Locale.ROOT));
      if (name >= 0) {
        return least + name;
      }
      return text.length() <= 4 && text.chars().allMatch(Character::isDigit)
          ? Integer.parseInt(text)
          : Integer.MAX_VALUE;
    }
  }

  /// Returns the problem with a schedule; empty if it is valid.
  public static Optional<String> problem(String text) {
    var cron = text.strip();
    if (hasZone(cron)) {
      return Optional.of("it names a time zone");
    }
    if (cron.startsWith("@")) {
      return NAMES.contains(cron) || EVERY.matcher(cron).matches()
          ? Optional.empty()
          : Optional.of("unknown name");
    }
    var parts = cron.split("\\s+", -1);
    if (parts.length != FIELDS.size()) {
      return Optional.of(
          "it has " + (cron.isEmpty() ? 0 : parts.length) + " fields, expected five");
    }
    for (int i = 0; i < parts.length; i++) {
      if (!FIELDS.get(i).takes(parts[i])) {
        return Optional.of("the " + FIELDS.get(i).label() + " is invalid");
      }
    }
    return Optional.empty();
  }

  /// Returns the problem with the schedule of a deleting policy; empty if it is valid.
  public static Optional<String> problemOfDeleting(String text) {
    var cron = text.strip();
    if (hasZone(cron)) {
      return Optional.of("it names a time zone");
    }
    if (cron.startsWith("@")) {
      return EVERY.matcher(cron).matches() ? Optional.of("@every is unknown") : Optional.empty();
    }
    var parts = List.of(cron.split("\\s+", -1));
    if (parts.size() < FIELDS.size() || parts.size() > FIELDS.size() + 2) {
      return Optional.of("it has " + parts.size() + " fields, expected five to seven");
    }
    var fields = new ArrayList<>(FIELDS.subList(0, FIELDS.size() - 1));
    fields.add(new Field("weekday", 0, 7, FIELDS.getLast().names()));
    if (parts.size() > FIELDS.size()) {
      fields.add(YEAR);
    }
    if (parts.size() > FIELDS.size() + 1) {
      fields.addFirst(SECOND);
    }
    for (int i = 0; i < parts.size(); i++) {
      var field = fields.get(i);
      if (!field.takes(parts.get(i)) && !SPECIAL.matcher(parts.get(i)).matches()) {
        return Optional.of("the " + field.label() + " is invalid");
      }
    }
    return Optional.empty();
  }

  /// Returns whether the schedule is due in each minute of some hour.
  public static boolean everyMinute(String text) {
    var cron = text.strip();
    return Set.of("*", "*/1", "?").contains(cron.split("\\s+", -1)[0])
        || cron.matches("@every\\s+(1m|[1-5]?\\d?\\ds)");
  }

  private static boolean hasZone(String cron) {
    return cron.startsWith("TZ=") || cron.startsWith("CRON_TZ=");
  }
}
