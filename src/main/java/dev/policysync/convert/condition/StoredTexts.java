package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Kind;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.Term;

/// The texts that stand in one of a ConfigMap: those of a list as JSON, or itself.
///
/// Source: Kyverno 1.19.0, `anyKeyExistsInArray` and `anySetExistsInArray`: JSON that is no list of
/// strings makes every operator false, and a range is one of numbers.
final class StoredTexts {
  private static final String SPACE = "[ \t\n\r]*";
  private static final String STRING = "\"[^\"\\\\[:cntrl:]]*\"";
  private static final String LIST =
      "^" + SPACE + "\\[" + SPACE + "(" + STRING + "(" + SPACE + "," + SPACE + STRING + ")*)?"
          + SPACE + "\\]" + SPACE + "$";
  private static final String NUMBER = "-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?";
  private static final String OTHER =
      "^" + SPACE + "(" + STRING + "|true|false|" + NUMBER + ")" + SPACE + "$";
  private static final String NOTHING = "^" + SPACE + "null" + SPACE + "$";

  /// What may be JSON that only a parser can tell.
  private static final String MAY_BE_JSON = "^" + SPACE + "[\\[{\"]";

  private static final String RANGE = "^[-|+]?[0-9]+([.][0-9]+)?[A-Za-z]*-[-|+]?[0-9]";

  private final String text;
  private final String list;

  StoredTexts(Term text, Bindings bindings) {
    this.text = text.text();
    var isText = text.is(Kind.STRING);
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

  /// Whether it cannot be said what stands in it.
  static Cel unclear(Term text) {
    return text.is(Kind.STRING)
        .and(
            matches(text.text(), RANGE)
                .or(
                    matches(text.text(), MAY_BE_JSON)
                        .and(matches(text.text(), LIST).not())
                        .and(matches(text.text(), OTHER).not())));
  }

  /// Whether it is not JSON of another type.
  Cel isList() {
    return matches(text, OTHER).not();
  }

  /// Whether a scalar is in it: the whole may be a pattern, and no item is one.
  Cel isScalar(String scalar) {
    return Texts.isWhatStandsFor(scalar, text)
        .or(isList().and(Cel.comparison(scalar + " in " + list)));
  }

  /// Whether an item of a list is in it.
  Cel isItem(String item) {
    return Cel.call(list + ".exists(x, " + Texts.match(item, "x") + ")");
  }

  /// Whether it is the only item of that list, as it is written.
  Cel isOnlyItem(String items) {
    return Cel.comparison(items + " == [" + text + "]");
  }

  private static Cel matches(String text, String regex) {
    return Cel.call(text + ".matches(" + Quoted.text(regex) + ")");
  }
}
