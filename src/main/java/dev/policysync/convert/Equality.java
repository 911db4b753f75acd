package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Translates Equals and NotEquals.
///
/// Source: Kyverno 1.19.0, `EqualHandler` and `NotEqualHandler`: a duration equals durations and
/// numbers of seconds; a string that is a quantity equals quantities only; another string matches
/// the value as a pattern; a number equals numbers, also in strings; null neither equals nor
/// differs from anything.
record Equality(Comparison of, Term key) {
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,14})");
  private static final Pattern UNCLEAR =
      Pattern.compile("(?i)[+-]?(\\d[\\d_]*\\.?[\\d_]*|\\.\\d+|inf|infinity|nan|0x.*)(e.*|p.*)?");

  /// Matches JSON that contains a number, or a string that looks like one.
  private static final String WITH_NUMBER = "(\":|[\\[,])-?[0-9]";

  Cel equal() {
    if (of.value().isLiteral()) {
      return equalTo(of.value().written().orElseThrow());
    }
    return equalTo(of.value().term());
  }

  /// Compares two values of the object. Values that are equal in CEL are equal in Kyverno, and
  /// strings may be durations, quantities or patterns.
  private Cel equalTo(Term value) {
    of.checkVariables();
    if (List.of(key, value).stream()
        .anyMatch(
            term -> term.mayBe(JsonType.LIST) && term.traits().contains(Term.Trait.UNORDERED))) {
      throw of.refused("a list in no certain order");
    }
    var texts = key.is(JsonType.STRING).and(value.is(JsonType.STRING)).and(texts(value));
    var seconds =
        key.is(JsonType.STRING)
            .and(value.is(JsonType.NUMBER))
            .and(Durations.isDurationTest(key.text()))
            .and(Durations.fits(value.text()))
            .and(
                Cel.comparison(
                    Durations.of(key.text()) + " == " + Durations.ofSeconds(value.text())));
    var number =
        key.is(JsonType.NUMBER)
            .and(value.is(JsonType.STRING))
            .and(matches(value, WHOLE))
            .and(Cel.comparison("dyn(" + key.text() + ") == int(" + value.text() + ")"));
    return key.is(JsonType.NULL).not().and(Cel.any(List.of(same(value), texts, seconds, number)));
  }

  private Cel same(Term value) {
    return Cel.comparison("dyn(" + key.text() + ") == dyn(" + value.text() + ")");
  }

  private Cel texts(Term value) {
    var durations =
        Durations.isDurationTest(key.text()).and(Durations.isDurationTest(value.text()));
    var quantities =
        Cel.call("isQuantity(" + value.text() + ")")
            .and(Cel.comparison(Quantities.compared(key, value) + " == 0"));
    return Cel.comparison(Durations.of(key.text()) + " == " + Durations.of(value.text()))
        .where(
            durations,
            quantities.where(
                Cel.call("isQuantity(" + key.text() + ")"),
                Texts.equalsOrMatches(key.text(), value.text())));
  }

  /// Tests whether CEL cannot tell how two values of the object compare. That is so for numbers in
  /// lists and maps, which have another type in background scans and in objects read from the
  /// cluster than in requests; and for a string that is an unusual number.
  Cel unclear() {
    if (of.value().isLiteral() || of.key().isLiteral()) {
      return Cel.FALSE;
    }
    var value = of.value().term();
    var number =
        key.is(JsonType.NUMBER)
            .and(value.is(JsonType.STRING))
            .and(matches(value, UNCLEAR))
            .and(matches(value, WHOLE).not());
    var mayBeNested =
        Stream.of(JsonType.LIST, JsonType.MAP)
            .anyMatch(kind -> key.mayBe(kind) && value.mayBe(kind));
    if (!mayBeNested || !(of.key().ofContext() || of.value().ofContext())) {
      return number;
    }
    var json = "json.marshal(dyn(" + key.text() + "))";
    return number.or(
        key.is(JsonType.LIST, JsonType.MAP).and(same(value)).and(Cel.matches(json, WITH_NUMBER)));
  }

  private static Cel matches(Term term, Pattern pattern) {
    return Cel.matches(term.text(), "^(" + pattern + ")$");
  }

  Cel different() {
    return key.is(JsonType.NULL).not().and(equal().not());
  }

  private Cel equalTo(Value value) {
    return switch (value) {
      case Value.Null _ -> Cel.FALSE;
      case Value.Bool(var bool) ->
          key.mayBe(JsonType.BOOL)
              ? key.is(JsonType.BOOL).and(bool ? atom() : atom().not())
              : Cel.FALSE;
      case Value.Numeric(var number) -> number(number).or(seconds(number));
      case Value.Text(var text) -> text(text);
      case Value.Sequence(var items) -> list(items);
      case Value.Mapping _ -> key.is(JsonType.MAP).and(compared("{}"));
    };
  }

  private Cel atom() {
    return key.kinds().equals(Set.of(JsonType.BOOL))
        ? Cel.call(key.text())
        : Cel.comparison(key.text() + " == true");
  }

  private Cel compared(String literal) {
    return Cel.comparison(key.text() + " == " + literal);
  }

  private Cel number(String number) {
    return key.is(JsonType.NUMBER).and(key.mayBe(JsonType.NUMBER) ? compared(number) : Cel.FALSE);
  }

  /// Tests whether the key is a duration of that many seconds.
  private Cel seconds(String number) {
    if (!key.mayBe(JsonType.STRING)) {
      return Cel.FALSE;
    }
    if (!WHOLE.matcher(number).matches()) {
      throw of.refused("with a fraction");
    }
    return key.is(JsonType.STRING)
        .and(Durations.isDurationTest(key.text()))
        .and(Durations.compared(key.text(), "==", number + "s"));
  }

  private Cel list(List<Value> items) {
    if (!key.mayBe(JsonType.LIST)) {
      return Cel.FALSE;
    }
    if (key.traits().contains(Term.Trait.UNORDERED) && items.size() > 1) {
      throw of.refused("a list in no certain order");
    }
    var texts = new ArrayList<String>();
    for (var item : items) {
      if (!(item instanceof Value.Text(var text))) {
        throw of.refused("a list of other values than strings");
      }
      texts.add(Cel.quoted(text));
    }
    return key.is(JsonType.LIST).and(compared("[" + String.join(", ", texts) + "]"));
  }

  private Cel text(String text) {
    return textKey(text).or(numberKey(text));
  }

  private Cel numberKey(String text) {
    if (!key.mayBe(JsonType.NUMBER)) {
      return Cel.FALSE;
    }
    if (WHOLE.matcher(text).matches()) {
      return number(text);
    }
    if (UNCLEAR.matcher(text).matches()) {
      throw of.refused("with a number in an unusual form");
    }
    return Cel.FALSE;
  }

  private Cel textKey(String text) {
    if (!key.mayBe(JsonType.STRING)) {
      return Cel.FALSE;
    }
    if (Quantities.isUnclear(text)) {
      throw of.refused("with a number in an unusual form");
    }
    var quantity = Cel.call("isQuantity(" + key.text() + ")");
    Cel equal;
    if (Quantities.isQuantity(text)) {
      equal = Quantities.compared(key.text(), "==", text).where(quantity, Cel.FALSE);
    } else {
      var matched = GlobTest.matches(key.text(), text);
      equal =
          !Glob.isPattern(text) || Quantities.isNoneOf(text)
              ? matched
              : quantity.not().and(matched);
    }
    if (of.isDuration(text)) {
      equal =
          Durations.compared(key.text(), "==", text)
              .where(Durations.isDurationTest(key.text()), equal);
    }
    return key.is(JsonType.STRING).and(equal);
  }
}
