package dev.policysync.convert.verification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.policy.Digest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrialTest {
  private static final Conversion RIGHT =
      ConvertedPolicies.of(Path.of("src", "test", "resources", "convert", "users.yaml")).getFirst();

  private static final List<Value.Mapping> RESOURCES =
      ResourceVariants.of(RIGHT.policy().content(), 3);

  @Test
  void theSameTrialHasTheSameDigest() {
    var again = ResourceVariants.of(RIGHT.policy().content(), 3);

    assertThat(digest(RIGHT, again, "")).isEqualTo(digest(RIGHT, RESOURCES, ""));
  }

  @Test
  void anotherResourceOperationOrSuccessorHasAnotherDigest() {
    var first = RIGHT.successors().getFirst();
    var changed = first.manifest().with("spec", Value.Mapping.EMPTY);
    var wrong = new Conversion(RIGHT.policy(), List.of(first.with(changed)), List.of());

    assertThat(
            List.of(
                digest(RIGHT, RESOURCES, ""),
                digest(RIGHT, RESOURCES.subList(1, RESOURCES.size()), ""),
                digest(RIGHT, RESOURCES, "UPDATE"),
                digest(wrong, RESOURCES, "")))
        .doesNotHaveDuplicates();
  }

  @Test
  void anotherCommentIsTheSameCode() {
    assertThat(Trial.code("import a.B;\n\n/// Does it.\nvoid run() {\n  // Now.\n  go();\n}\n"))
        .isEqualTo("void run() {\ngo();\n}");
  }

  private static Digest digest(
      Conversion conversion, List<Value.Mapping> resources, String operation) {
    var asked = Optional.of(operation).filter(text -> !text.isEmpty());
    return Trial.digest(List.of(new Trial(conversion, List.of(), resources, asked)));
  }
}
