package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Refuses a construct that has no exact counterpart, and with it the whole policy. The message
/// says what the construct is and what to write by hand.
final class Untranslatable extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern OF_AN_API = Pattern.compile("[a-z][A-Za-z]{0,39}");

  private final transient Reason reason;

  /// The reason of a refusal.
  ///
  /// @param at the refused value, or the mapping with the refused field
  /// @param field the refused field of the mapping; empty if a value is refused
  /// @param construct what was refused, in few words: `a variable in a pattern`
  /// @param name the policy's own name for the construct; empty if it has no name
  record Reason(Value at, Optional<String> field, String construct, String name, String advice) {}

  private Untranslatable(Reason reason) {
    super(reason.construct + ": " + reason.advice);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }

  /// Returns the refusal of a value.
  ///
  /// @param construct what the value is, in few words; the same for all of one sort, because
  ///   refusals are counted by it
  /// @param advice what to do about it
  static Untranslatable value(Value at, String construct, String advice) {
    return named(at, construct, "", advice);
  }

  /// Returns the refusal of a value that has a name in the policy's own text: a variable, a
  /// function.
  static Untranslatable named(Value at, String construct, String name, String advice) {
    return new Untranslatable(new Reason(at, Optional.empty(), construct, name, advice));
  }

  static Untranslatable field(Value.Mapping holder, String field, String construct, String advice) {
    return new Untranslatable(
        new Reason(
            holder, Optional.of(field).filter(name -> !name.isEmpty()), construct, "", advice));
  }

  /// Refuses the first field of the mapping that is not known.
  ///
  /// @param construct says what the field is, from its name as messages show it
  static void checkFields(
      Value.Mapping holder, Set<String> known, UnaryOperator<String> construct, String advice) {
    for (var field : holder.fields().keySet()) {
      if (!known.contains(field)) {
        throw field(holder, field, construct.apply(shown(field)), advice);
      }
    }
  }

  /// Returns a field's name as messages show it. A name that no API has may be any text of the
  /// policy, and is left out.
  static String shown(String field) {
    return OF_AN_API.matcher(field).matches() ? field : "…";
  }
}
