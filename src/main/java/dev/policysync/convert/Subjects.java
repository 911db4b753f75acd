package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.GlobTest;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;

/// Translates `subjects` in `match` and `exclude` into CEL, as tests of the request's user.
///
/// Source: Kyverno 1.19.0, `CheckSubjects`.
final class Subjects {
  private static final String USER = "request.userInfo.?username.orValue(\"\")";
  private static final String GROUPS = "request.userInfo.?groups.orValue([])";

  /// The user that Kyverno assumes for the old object of an update.
  private static final String NOBODY = "kyverno:kyverno-invalid-controller";

  private static final String NO_GROUP = "kyverno:invalidgroup";

  private Subjects() {}

  /// Returns true if the block names no subjects, or if it matches the user that Kyverno assumes
  /// for the old object of an update.
  static Cel matchesUnknownUser(Value.Mapping block) {
    if (matches(block).equals(Cel.TRUE)) {
      return Cel.TRUE;
    }
    var named =
        block.mappings("subjects").stream()
            .anyMatch(subject ->
                switch (subject.text("kind").orElse("")) {
                  case "User" -> Glob.matches(text(subject, "name"), NOBODY);
                  case "Group" -> Glob.matches(text(subject, "name"), NO_GROUP);
                  default -> false;
                });
    return named ? Cel.TRUE : Cel.FALSE;
  }

  /// Tests whether the user is one of the subjects of the block; true if the block names none.
  static Cel matches(Value.Mapping block) {
    var any = new ArrayList<Cel>();
    for (var item : block.items("subjects")) {
      if (!(item instanceof Value.Mapping subject)) {
        throw Untranslatable.value(item, "a subject that is no map", "write kind and name");
      }
      any.add(
          switch (subject.text("kind").orElse("")) {
            case "User" -> GlobTest.matches(USER, text(subject, "name"));
            case "Group" ->
                Cel.call(
                    GROUPS
                        + ".exists(group, "
                        + GlobTest.matches("group", text(subject, "name"))
                        + ")");
            case "ServiceAccount" -> {
              var name = text(subject, "namespace") + ":" + text(subject, "name");
              yield GlobTest.matches(USER, "system:serviceaccount:" + name);
            }
            default ->
                throw Untranslatable.value(
                    subject, "a subject of another kind", "use User, Group or ServiceAccount");
          });
    }
    return any.isEmpty() ? Cel.TRUE : Cel.any(any);
  }

  private static String text(Value.Mapping subject, String field) {
    return FilterTranslation.text(
        subject, field, subject.fields().getOrDefault(field, new Value.Text("")));
  }
}
