package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Kind;
import dev.policysync.convert.expression.Term;

/// The strings that a string of a ConfigMap holds: the items of a list as JSON, or the string
/// itself.
///
/// Source: Kyverno 1.19.0, `anyKeyExistsInArray` and `anySetExistsInArray`: JSON that is not a list
/// of strings makes every operator false, and a range is one of numbers.
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

  /// Matches a string that may be JSON, which only a parser can tell.
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

  /// Tests whether CEL cannot tell which strings the value holds.
  static Cel unclear(Term text) {
    return text.is(Kind.STRING)
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
