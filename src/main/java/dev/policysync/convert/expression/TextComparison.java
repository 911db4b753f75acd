package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.regex.Pattern;

/// A comparison with a text, by wildcards: `nginx:*`, `!*:latest`. Numbers and booleans are
/// compared as strings, too; maps and null are neither equal nor unequal.
///
/// Source: Kyverno 1.19.0, `compareString`.
record TextComparison(boolean equal, String glob) implements Comparison {
  private static final Pattern ANYTHING = Pattern.compile("\\?{0,1}\\*+|\\*+\\??");

  /// Matches a wildcard pattern with a character that no whole number has; [#NO_FRACTION] matches
  /// one that no fraction has, as Go's format E writes it.
  private static final Pattern NO_INT = Pattern.compile(".*[^0-9*?-].*", Pattern.DOTALL);

  private static final Pattern NO_FRACTION = Pattern.compile(".*[^0-9.E+*?-].*", Pattern.DOTALL);

  /// A pattern with a plus, which a fraction in format E has before an exponent that is not
  /// negative.
  private static final String PLUS = "*+*";

  static TextComparison of(Operator operator, String glob, Value pattern) {
    var unclear =
        Glob.isPattern(glob)
            && !glob.equals(PLUS)
            && !ANYTHING.matcher(glob).matches()
            && !NO_FRACTION.matcher(glob).matches();
    if (unclear) {
      throw Untranslatable.value(
          pattern,
          "a wildcard in what may be a number",
          "a number with a fraction may match it in Kyverno; compare strings in CEL with matches()");
    }
    return new TextComparison(operator == Operator.EQUAL, glob);
  }

  @Override
  public boolean matchesNull() {
    return false;
  }

  @Override
  public boolean accepts(String text) {
    return equal == Glob.matches(glob, text);
  }

  @Override
  public Cel matches(Place place) {
    if (!equal) {
      return place.isScalar().and(accepted(place).not());
    }
    return ANYTHING.matcher(glob).matches() ? anything(place) : accepted(place);
  }

  private Cel accepted(Place place) {
    if (ANYTHING.matcher(glob).matches()) {
      return anything(place);
    }
    var accepted = new ArrayList<Cel>();
    accepted.add(
        Glob.isPattern(glob)
            ? place.is(Place.Type.STRING).and(GlobTest.matches(place.text(), glob))
            : place.is(Quoted.text(glob)));
    if (Glob.isPattern(glob) && !NO_INT.matcher(glob).matches()) {
      accepted.add(place.is(Place.Type.INT).and(GlobTest.matches("string(" + place + ")", glob)));
    }
    if (glob.equals(PLUS)) {
      var large = Cel.comparison(place + " >= 1.0").or(Cel.comparison(place + " <= -1.0"));
      accepted.add(place.is(Place.Type.DOUBLE).and(large.or(place.is("0.0"))));
    }
    for (var bool : new String[] {"true", "false"}) {
      if (Glob.matches(glob, bool)) {
        accepted.add(place.is(bool));
      }
    }
    return Cel.any(accepted);
  }

  /// Tests for `*`, and for `?*`, which only the empty string does not satisfy.
  private Cel anything(Place place) {
    return GlobTest.matches(place.text(), glob).and(place.isScalar());
  }
}
