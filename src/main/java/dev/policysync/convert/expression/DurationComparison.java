package dev.policysync.convert.expression;

/// A comparison with a duration, which may be a quantity as well: `<=24h`, `>=100m`. Values that
/// are durations, and 0, are compared as durations.
///
/// Source: Kyverno 1.19.0, `compareDuration`: it comes first, and does not count if the value is
/// not a duration.
///
/// @param other the comparison for all other values
record DurationComparison(Operator operator, String operand, Comparison other)
    implements Comparison {
  @Override
  public Cel matches(Place place) {
    var duration =
        place
            .is(Place.Type.STRING)
            .and(Durations.isDurationTest(place.text()).or(place.is("\"0\"")));
    var zero = place.is(Place.Type.INT).and(place.is("0"));
    return Durations.compared(place.text(), operator.cel(), operand)
        .where(duration, (matchesNull() ? Cel.TRUE : Cel.FALSE).where(zero, other.matches(place)));
  }

  /// Compares null as 0.
  @Override
  public boolean matchesNull() {
    var sign = operand.matches(".*[1-9].*") ? 1 : 0;
    return operator.satisfiedBy(operand.startsWith("-") ? sign : -sign);
  }

  @Override
  public boolean accepts(String text) {
    return operator == Operator.EQUAL && text.equals(operand);
  }
}
