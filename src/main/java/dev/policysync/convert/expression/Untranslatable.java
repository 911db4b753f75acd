package dev.policysync.convert.expression;

import dev.policysync.json.Value;
import java.util.Optional;

/// Something that has no exact counterpart; the whole policy is refused for it. Its message says
/// what there is and what to write by hand.
public final class Untranslatable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Value at;
  private final String field;
  private final String construct;
  private final String advice;

  private Untranslatable(Value at, String field, String construct, String advice) {
    super(construct + ": " + advice);
    this.at = at;
    this.field = field;
    this.construct = construct;
    this.advice = advice;
  }

  /// That value has none.
  ///
  /// @param construct what it is, in few words; the same for all of one sort, as they are counted
  /// @param advice what to do about it
  public static Untranslatable value(Value at, String construct, String advice) {
    return new Untranslatable(at, "", construct, advice);
  }

  /// That field of a mapping has none.
  public static Untranslatable field(
      Value.Mapping holder, String field, String construct, String advice) {
    return new Untranslatable(holder, field, construct, advice);
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

  /// What to do.
  public String advice() {
    return advice;
  }
}
