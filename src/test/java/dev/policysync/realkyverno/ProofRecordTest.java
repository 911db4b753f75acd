package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import dev.policysync.realkyverno.ProofRecord.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofRecordTest {
  private static final String NAME = "a proof";

  /// A day whose sample begins with the last of twenty names.
  private static final LocalDate TODAY = LocalDate.ofEpochDay(1_000 * ProofRecord.DAYS - 1);

  private static final Digest INPUTS = digest("inputs");
  private static final Digest OTHERS = digest("other inputs");

  @TempDir private Path folder;
  private Path file;
  private int run;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("proofs").resolve("SomeIT.txt");
  }

  @Test
  void runsWhatIsNotRecordedAndWritesNothing() {
    prove(Use.READ, TODAY, INPUTS);

    assertThat(run).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void doesNotRunWhatIsRecorded() {
    prove(Use.RENEWED, TODAY, INPUTS);
    prove(Use.READ, TODAY, INPUTS);
    prove(Use.RENEWED, TODAY, INPUTS);

    assertThat(run).isEqualTo(1);
    assertThat(file).hasContent(NAME + " " + INPUTS);
  }

  @Test
  void runsWhatHasChanged() {
    prove(Use.RENEWED, TODAY, INPUTS);
    prove(Use.READ, TODAY, OTHERS);

    assertThat(run).isEqualTo(2);
    assertThat(file).hasContent(NAME + " " + INPUTS);
    prove(Use.RENEWED, TODAY, OTHERS);
    assertThat(file).hasContent(NAME + " " + OTHERS);
  }

  @Test
  void failsWithAProofThatFails() throws Exception {
    var record = new ProofRecord(file, Use.RENEWED, TODAY);

    assertThatThrownBy(() ->
            record.prove(
                NAME,
                INPUTS,
                () -> {
                  throw new AssertionError("they differ");
                }))
        .hasMessage("they differ");
    record.end();
    assertThat(file).isEmptyFile();
  }

  @Test
  void runsARecordedProofOnOneDayOfTwenty() {
    prove(Use.RENEWED, TODAY, INPUTS);
    run = 0;

    for (int day = 1; day <= ProofRecord.DAYS; day++) {
      prove(Use.READ, TODAY.plusDays(day), INPUTS);
    }

    assertThat(run).isEqualTo(1);
  }

  @Test
  void runsEverythingIfTheRecordIsIgnored() {
    prove(Use.RENEWED, TODAY, INPUTS);
    prove(Use.IGNORED, TODAY, INPUTS);
    prove(Use.IGNORED, TODAY, OTHERS);

    assertThat(run).isEqualTo(3);
    assertThat(file).hasContent(NAME + " " + INPUTS);
  }

  @Test
  void dropsProofsThatNoLongerExist() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "a former proof " + INPUTS + "\n" + NAME + " " + INPUTS + "\n");

    prove(Use.READ, TODAY, INPUTS);
    assertThat(file).content().contains("former");
    prove(Use.RENEWED, TODAY, INPUTS);
    assertThat(file).hasContent(NAME + " " + INPUTS);
    assertThat(run).isZero();
  }

  @Test
  void refusesTwoProofsOfOneName() {
    var record = new ProofRecord(file, Use.READ, TODAY);
    record.prove(NAME, INPUTS, () -> {});

    assertThatThrownBy(() -> record.prove(NAME, OTHERS, () -> {})).hasMessageContaining(NAME);
  }

  private void prove(Use use, LocalDate today, Digest inputs) {
    var record = new ProofRecord(file, use, today);
    record.prove(NAME, inputs, () -> run++);
    record.end();
  }

  private static Digest digest(String text) {
    return Digest.of(new Value.Text(text));
  }
}
