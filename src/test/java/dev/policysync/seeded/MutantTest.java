package dev.policysync.seeded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The seeded defects are looked for by `make seeded` alone; that each still is one of the sources
/// as they are is seen to here.
class MutantTest {
  private static final Path ROOT = Path.of("");

  @ParameterizedTest
  @MethodSource("mutants")
  void everyMutantFitsTheSources(Mutant mutant) throws IOException {
    for (var change : mutant.changes()) {
      assertThat(change.objection(Files.readString(change.file()))).as(mutant.name()).isEmpty();
      assertThat(change.fresh()).isNotEqualTo(change.old());
    }
  }

  @Test
  void theyAreOfEveryPromiseThatTheStateMachineKeepsTo() throws IOException {
    assertThat(mutants())
        .extracting(Mutant::promise)
        .contains(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  }

  static List<Mutant> mutants() throws IOException {
    return Mutant.all(ROOT);
  }
}
