package dev.policysync.convert.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KyvernoProgramTest {
  @TempDir private Path folder;

  @Test
  void findsTheFirstOnThePath() throws IOException {
    // A folder of that name may come first: its files can be listed, so it is executable.
    Files.createDirectories(folder.resolve("src/kyverno"));
    var program = program("bin/kubectl-kyverno");

    assertThat(
            KyvernoProgram.find(
                Optional.empty(), folder.resolve("src") + File.pathSeparator + program.getParent()))
        .isEqualTo(program);
  }

  @Test
  void refusesAFolder() {
    assertThatThrownBy(() -> KyvernoProgram.find(Optional.of(folder.toString()), ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "--kyverno=" + folder + " is no program; download kyverno-cli 1.19");
  }

  @Test
  void saysHowToGetItWhereThereIsNone() {
    assertThatThrownBy(() -> KyvernoProgram.find(Optional.empty(), folder.toString()))
        .hasMessageContaining("there is no kyverno on the PATH; download kyverno-cli 1.19");
  }

  @Test
  void refusesAProgramThatIsNotKyverno() throws IOException {
    var program = program("kyverno");
    Files.writeString(program, "#!/bin/sh\necho 1.0\n");

    assertThatThrownBy(() -> KyvernoProgram.requireKyverno(program))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(program + " is not Kyverno's command line");
  }

  @Test
  void acceptsAProgramThatSaysTheVersionOfKyverno() throws IOException {
    var program = program("kyverno");
    Files.writeString(program, "#!/bin/sh\necho \"Version: v1.19.0\"\n");

    assertThat(KyvernoProgram.requireKyverno(program)).isEqualTo(program);
  }

  private Path program(String name) throws IOException {
    var program = folder.resolve(name);
    Files.createDirectories(program.getParent());
    Files.createFile(program);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }
}
