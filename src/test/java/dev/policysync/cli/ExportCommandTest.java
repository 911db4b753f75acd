package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.ExclusionReason;
import dev.policysync.inspect.Export;
import dev.policysync.inspect.Export.Exported;
import dev.policysync.inspect.ExportSelection;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportCommandTest {
  private static final Export TWO =
      new Export.Whole(
          List.of(
              policy(PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"), "{kind: A, says: 'yes'}"),
              policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "b"), "{kind: B}")),
          Map.of(ExclusionReason.NOT_OURS, 3));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void printsADocumentForEachPolicyAndTheCountsLast() {
    var code = command("export").run(() -> TWO);

    assertThat(code).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8))
        .isEqualTo(
            """
            ---
            kind: A
            says: "yes"
            ---
            kind: B
            # End of the export: 2 policies (ClusterPolicy.kyverno.io 1, Policy.kyverno.io 1)
            """);
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            "Exported 2 policies; excluded: 3 not managed by policy-sync (use --all to"
                + " export)\n");
  }

  @Test
  void printsOneListAsJson() {
    command("export", "-o", "json").run(() -> TWO);

    assertThat(out.toString(UTF_8))
        .isEqualTo(
            """
            {"apiVersion":"v1","kind":"List","items":[
            {"kind":"A","says":"yes"},
            {"kind":"B"}
            ]}
            """);
  }

  @Test
  void printsOnlyWhatIsWrongWhereSomethingCannotBeRead() {
    var failure = new Failure(Failure.Cause.FORBIDDEN, "list Policy.kyverno.io: HTTP 403");

    var code = command("export").run(() -> new Export.Failed(List.of(failure)));

    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            """
            policy-sync: nothing was exported because some policies could not be read:
              - list Policy.kyverno.io: HTTP 403
            """);
  }

  @Test
  void failsWhereTheDiskIsFull() {
    var full =
        new Output(
            new PrintStream(
                new OutputStream() {
                  @Override
                  public void write(int b) throws IOException {
                    throw new IOException("no space left on device");
                  }
                }));
    var command =
        new ExportCommand(
            invocation("export"), full, new Output(new PrintStream(err, true, UTF_8)));

    assertThat(command.run(() -> TWO)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(UTF_8))
        .isEqualTo("policy-sync: writing to stdout failed; the output is incomplete, discard it\n");
  }

  @Test
  void asksForAllOnlyWhereThatIsSaid() {
    assertThat(command("export").selection()).isEqualTo(ExportSelection.OURS);
    assertThat(command("export", "--all").selection()).isEqualTo(ExportSelection.ALL);
  }

  private ExportCommand command(String... arguments) {
    return new ExportCommand(
        invocation(arguments),
        new Output(new PrintStream(out, false, UTF_8)),
        new Output(new PrintStream(err, false, UTF_8)));
  }

  private static Invocation.Run invocation(String... arguments) {
    return (Invocation.Run) Invocation.of(arguments);
  }

  private static Exported policy(PolicyId id, String yaml) {
    return new Exported(id, Documents.yaml(yaml));
  }
}
