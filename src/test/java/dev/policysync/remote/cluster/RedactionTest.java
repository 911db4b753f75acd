package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.Documents;
import org.junit.jupiter.api.Test;

class RedactionTest {
  @Test
  void hidesAQuotedValue() {
    var message = "spec.a: Invalid value: \"a \\\"b\\\": c\": must be a duration";

    assertThat(Redaction.redact(message)).isEqualTo("spec.a: Invalid value: …: must be a duration");
  }

  @Test
  void hidesAValueThatIsAnObject() {
    var message =
        "spec.a: Duplicate value: {\"name\":\"x: y\",\"n\":1}, spec.b: Required value: say why";

    assertThat(Redaction.redact(message))
        .isEqualTo("spec.a: Duplicate value: …: Required value: say why");
  }

  @Test
  void hidesEachOfSeveralValues() {
    var message =
        "[spec.a: Invalid value: 5: too small, spec.b: Unsupported value: \"x\": supported values:"
            + " \"y\", \"z\"]";

    assertThat(Redaction.redact(message))
        .isEqualTo(
            "[spec.a: Invalid value: …: too small, spec.b: Unsupported value: …: supported values:"
                + " \"y\", \"z\"]");
  }

  @Test
  void hidesValuesOfTheWrongTypeAlsoOverSeveralLines() {
    var message =
        "errors:\n  .spec.a: expected map, got &{one\n}two}\n  .spec.b: expected list, got"
            + " &{map[c:d]}";

    assertThat(Redaction.redact(message))
        .isEqualTo("errors: .spec.a: expected map, got … .spec.b: expected list, got …");
  }

  @Test
  void hidesWhatASetHasTwiceButNotTheNameOfAnItem() {
    assertThat(Redaction.redact(".spec.a: duplicate entries for key [=\"x\"]"))
        .isEqualTo(".spec.a: duplicate entries for key …");
    assertThat(Redaction.redact(".spec.a: duplicate entries for key [name=\"x\"]"))
        .isEqualTo(".spec.a: duplicate entries for key [name=\"x\"]");
    assertThat(Redaction.redact(".spec.a: duplicate entries for key [name=\"x y\"]"))
        .isEqualTo(".spec.a: duplicate entries for key …");
  }

  @Test
  void makesOneLineOfSeveral() {
    assertThat(Redaction.redact("one:\n  two\r\n\u001b[31mthree\u2028four"))
        .isEqualTo("one: two [31mthree four");
  }

  @Test
  void cutsALineThatIsTooLong() {
    assertThat(Redaction.redact("x".repeat(601))).isEqualTo("x".repeat(600) + "…");
    assertThat(Redaction.redact("x".repeat(600))).isEqualTo("x".repeat(600));
  }

  @Test
  void hidesWhatThePolicySaysToo() {
    var policy = Documents.yaml("{spec: {message: the label team must be set}}");

    assertThat(Redaction.redact("spec.a: Invalid value: \"x\": no the label team\nhere", policy))
        .isEqualTo("spec.a: Invalid value: …: no … here");
  }

  @Test
  void hidesTheSourceInACelError() {
    var message =
        "compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container"
            + " '')\n | variables.replicas <= 20\n | ^";

    assertThat(Redaction.redact(message))
        .isEqualTo(
            "compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in"
                + " container '')");
  }

  @Test
  void leavesTheErrorAfterACelError() {
    var message =
        "[spec.a: Invalid value: \"x.y\": ERROR: <input>:1:1: undeclared reference to 'x' (in"
            + " container '')\n | x.y\n | ^, spec.schedule: Invalid value: \"y\": no schedule]";

    assertThat(Redaction.redact(message))
        .isEqualTo(
            "[spec.a: Invalid value: …: ERROR: <input>:1:1: undeclared reference to 'x' (in"
                + " container ''), spec.schedule: Invalid value: …: no schedule]");
  }

  @Test
  void leavesAMessageWithoutValuesAsItIs() {
    var message = "namespaces \"shop\" not found";

    assertThat(Redaction.redact(message)).isEqualTo(message);
  }

  @Test
  void copesWithALongQuotedValue() {
    var message = "Invalid value: \"" + "a\\\"b ".repeat(200_000) + "\": too long";

    assertThat(Redaction.redact(message)).isEqualTo("Invalid value: …: too long");
  }

  @Test
  void copesWithALongObject() {
    var message = "Invalid value: {" + "\"a\":1,".repeat(200_000) + "}: too long";

    assertThat(Redaction.redact(message)).isEqualTo("Invalid value: …: too long");
  }
}
