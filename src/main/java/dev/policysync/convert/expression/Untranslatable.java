package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.Optional;
import java.util.regex.Pattern;

/// Something that has no exact counterpart; the whole policy is refused for it. Its message says
/// what there is and what to write by hand.
public final class Untranslatable extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern OF_AN_API = Pattern.compile("[a-z][A-Za-z]{0,39}");

  private final transient Value at;
  private final String field;
  private final String construct;
  private final String name;
  private final String advice;

  private Untranslatable(Value at, String field, String construct, String name, String advice) {
    super(construct + ": " + advice);
    this.at = at;
    this.field = field;
    this.construct = construct;
    this.name = name;
    this.advice = advice;
  }

  /// That value has none.
  ///
  /// @param construct what it is, in few words; the same for all of one sort, as they are counted
  /// @param advice what to do about it
  public static Untranslatable value(Value at, String construct, String advice) {
    return new Untranslatable(at, "", construct, "", advice);
  }

  /// The same where the policy has a name for it, which is a part of its text: a variable, a
  /// function.
  public static Untranslatable named(Value at, String construct, String name, String advice) {
    return new Untranslatable(at, "", construct, name, advice);
  }

  /// That field of a mapping has none.
  public static Untranslatable field(
      Value.Mapping holder, String field, String construct, String advice) {
    return new Untranslatable(holder, field, construct, "", advice);
  }

  /// A field's name as a message shows it. One that no API has may be any text of the policy, and
  /// is left out.
  public static String shown(String field) {
    return OF_AN_API.matcher(field).matches() ? field : "…";
  }

  /// The value, or the mapping with the field.
  public Value at() {
    return at;
  }

  /// The field of the mapping, if it is about one.
  public Optional<String> field() {
    return Optional.of(field).filter(name -> !name.isEmpty());
  }

  /// What it is: `a variable in a pattern`.
  public String construct() {
    return construct;
  }

  /// What the policy calls it; empty if it has no name.
  public String name() {
    return name;
  }

  /// What to do.
  public String advice() {
    return advice;
  }
}
