package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Translates AnyIn, AllIn, AnyNotIn and AllNotIn.
///
/// Source: Kyverno 1.19.0, anyin.go and allin.go: all values are compared as strings, and either
/// side may be a pattern for the other; a scalar is in a list or is not; a value that is neither a
/// list nor a string makes every operator false.
///
/// @param any whether one item of the key is enough
/// @param in whether the operator asks for what is in the value, not for what is not
record Membership(Comparison of, Term key, boolean any, boolean in) {
  private static final Pattern RANGE =
      Pattern.compile("\\d+(?:\\.\\d+)?[A-Za-z]*-\\d+(?:\\.\\d+)?[A-Za-z]*");
  private static final Pattern JSON =
      Pattern.compile("\\s*([\\[{\"].*|true|false|null|-?\\d.*)\\s*", Pattern.DOTALL);

  /// Matches a string that may be a range in a form that [#RANGE] does not match.
  private static final Pattern DIGITS = Pattern.compile(".*\\d.*-.*\\d.*", Pattern.DOTALL);

  /// Tests whether a string is in the value: for a scalar key, and for an item of a list, which may
  /// need another test.
  private record In(Function<String, Cel> scalar, Function<String, Cel> item) {}

  /// Tests whether CEL cannot tell which strings a string of a ConfigMap holds.
  static Cel unclear(Term text) {
    return StoredTexts.unclear(text);
  }

  Cel holds() {
    var value = of.value();
    if (value.isLiteral()) {
      return written(value.written().orElseThrow());
    }
    var term = value.term();
    if (value.stored()) {
      return inStored(term);
    }
    if (term.mayBe(JsonType.STRING) || term.mayBe(JsonType.NUMBER) || term.mayBe(JsonType.BOOL)) {
      throw of.refused("with a value that may be of any type");
    }
    var texts = Texts.ofComparedItems(term);
    Function<String, Cel> inList =
        text -> Cel.call(texts + ".exists(x, " + Texts.match(text, "x") + ")");
    return term.is(JsonType.LIST).and(holds(new In(inList, inList)));
  }

  /// Tests membership in a string of a ConfigMap, which is a pattern, a list as JSON, or a plain
  /// string.
  private Cel inStored(Term text) {
    var stored = new StoredTexts(text, of.bindings());
    var single =
        key.mayBe(JsonType.LIST)
            ? key.is(JsonType.LIST).and(stored.isOnlyItem(Texts.ofItems(key)))
            : Cel.FALSE;
    var scalar = scalarKey(item -> stored.isScalar(item));
    var list = listKey(item -> stored.isItem(item));
    var valid = stored.isList();
    // JSON of another type is no error: it makes every operator false.
    var decided =
        in ? scalar.or(valid.and(list)).or(single) : valid.and(scalar.or(list.and(single.not())));
    return text.is(JsonType.STRING).and(decided);
  }

  private Cel written(Value value) {
    return switch (value) {
      case Value.Sequence(var items) -> {
        var texts = items.stream().map(this::text).toList();
        Function<String, Cel> inList =
            text -> Cel.any(texts.stream().map(one -> either(text, one)).toList());
        yield holds(new In(inList, inList));
      }
      case Value.Text(var text) -> text(text);
      case Value.Numeric _, Value.Bool _ -> {
        if (any && key.mayBe(JsonType.LIST)) {
          var text = text(value);
          yield listKey(item -> either(item, text));
        }
        yield Cel.FALSE;
      }
      case Value.Null _, Value.Mapping _ -> Cel.FALSE;
    };
  }

  private Cel text(String text) {
    if (RANGE.matcher(text).matches()) {
      Function<String, Cel> inside = item -> range(text, item);
      Function<String, Cel> outside =
          any && !in ? item -> range(text.replaceFirst("-", "!-"), item).not() : inside;
      return holds(new In(inside, outside));
    }
    if (JSON.matcher(text).matches() || DIGITS.matcher(text).matches()) {
      throw of.refused("with a text that Kyverno may read as JSON or as a range");
    }
    return holds(new In(item -> GlobTest.matches(item, text), item -> either(item, text)));
  }

  private static Cel range(String range, String item) {
    var inRange = PatternTranslation.of(new Value.Text(range), new Place("text", 0)).passes();
    return inRange.bind("text", "dyn(" + item + ")");
  }

  private Cel holds(In of) {
    return scalarKey(of.scalar).or(listKey(of.item));
  }

  private Cel scalarKey(Function<String, Cel> contained) {
    var scalar = key.is(JsonType.STRING, JsonType.NUMBER, JsonType.BOOL);
    if (scalar.equals(Cel.FALSE)) {
      return Cel.FALSE;
    }
    var onlyText = key.kinds().stream().noneMatch(Set.of(JsonType.NUMBER, JsonType.BOOL)::contains);
    var text = onlyText ? key.text() : bound("string(" + key.text() + ")", scalar);
    var holds = contained.apply(text);
    return scalar.and(in ? holds : holds.not());
  }

  private String bound(String text, Cel condition) {
    return of.bindings().bind("(" + condition + ") ? " + text + " : \"\"");
  }

  private Cel listKey(Function<String, Cel> contained) {
    if (of.key().written().filter(Value.Sequence.class::isInstance).isPresent()) {
      var each = new ArrayList<Cel>();
      for (var item : ((Value.Sequence) of.key().written().orElseThrow()).items()) {
        var one = contained.apply(Cel.quoted(text(item)));
        each.add(in ? one : one.not());
      }
      return any ? Cel.any(each) : Cel.all(each);
    }
    if (!key.mayBe(JsonType.LIST)) {
      return Cel.FALSE;
    }
    var one = contained.apply("k");
    var each = in ? one : one.not();
    var items =
        of.value().isLiteral() || of.value().stored()
            ? Texts.ofItems(key)
            : Texts.ofComparedItems(key);
    return key.is(JsonType.LIST)
        .and(Cel.call(items + (any ? ".exists(k, " : ".all(k, ") + each + ")"));
  }

  /// Tests whether a string of the object and a written one match, with either one as the pattern.
  private Cel either(String text, String written) {
    var matched = GlobTest.matches(text, written);
    var plain = key.text().equals(text) && key.traits().contains(Term.Trait.PLAIN);
    return plain || of.key().isLiteral() ? matched : matched.or(Texts.isPatternFor(text, written));
  }

  private String text(Value item) {
    return switch (item) {
      case Value.Text(var text) -> text;
      case Value.Bool(var bool) -> Boolean.toString(bool);
      case Value.Numeric(var number) when number.matches("-?\\d{1,6}(\\.\\d{1,6})?") -> number;
      default -> throw of.refused("with a list of other values than strings and numbers");
    };
  }

  /// The strings that a string of a ConfigMap holds: the items of a list as JSON, or the string
  /// itself.
  ///
  /// Source: Kyverno 1.19.0, `anyKeyExistsInArray` and `anySetExistsInArray`: JSON that is not a
  /// list of strings makes every operator false, and a range is one of numbers.
  private static final class StoredTexts {
    private static final String SPACE = "[ \t\n\r]*";
    private static final String STRING = "\"[^\"\\\\[:cntrl:]]*\"";
    private static final String LIST =
        "^" + SPACE + "\\[" + SPACE + "(" + STRING + "(" + SPACE + "," + SPACE + STRING + ")*)?"
            + SPACE + "\\]" + SPACE + "$";
    private static final String NUMBER = "-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?";
    private static final String OTHER =
        "^" + SPACE + "(" + STRING + "|true|false|" + NUMBER + ")" + SPACE + "$";
    private static final String NOTHING = "^" + SPACE + "null" + SPACE + "$";

    /// Matches a string that may be JSON, which only a parser can tell.
    private static final String MAY_BE_JSON = "^" + SPACE + "[\\[{\"]";

    private static final String RANGE = "^[-|+]?[0-9]+([.][0-9]+)?[A-Za-z]*-[-|+]?[0-9]";

    private final String text;
    private final String list;

    StoredTexts(Term text, Bindings bindings) {
      this.text = text.text();
      var isText = text.is(JsonType.STRING);
      this.list =
          bindings.bind(
              Cel.call("json.unmarshal(" + this.text + ")")
                  .where(
                      isText.and(matches(this.text, LIST)),
                      Cel.call("[]")
                          .where(
                              isText.and(matches(this.text, NOTHING)),
                              Cel.call("[dyn(" + this.text + ")]")))
                  .text());
    }

    /// Tests whether CEL cannot tell which strings the value holds.
    static Cel unclear(Term text) {
      return text.is(JsonType.STRING)
          .and(
              matches(text.text(), RANGE)
                  .or(
                      matches(text.text(), MAY_BE_JSON)
                          .and(matches(text.text(), LIST).not())
                          .and(matches(text.text(), OTHER).not())));
    }

    /// Tests that the string is not JSON of another type.
    Cel isList() {
      return matches(text, OTHER).not();
    }

    /// Tests whether a scalar is among the strings: the whole string may be a pattern, an item may
    /// not.
    Cel isScalar(String scalar) {
      return Texts.equalsOrMatches(scalar, text)
          .or(isList().and(Cel.comparison(scalar + " in " + list)));
    }

    /// Tests whether an item of a list key is among the strings.
    Cel isItem(String item) {
      return Cel.call(list + ".exists(x, " + Texts.match(item, "x") + ")");
    }

    /// Tests whether the whole string, as written, is the only item of the list key.
    Cel isOnlyItem(String items) {
      return Cel.comparison(items + " == [" + text + "]");
    }

    private static Cel matches(String text, String regex) {
      return Cel.call(text + ".matches(" + Cel.quoted(regex) + ")");
    }
  }
}
