package dev.policysync.seeded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.singlefault.FaultSearch;
import dev.policysync.statemachine.RandomPlay;
import dev.policysync.sync.EveryMoveTest;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// Lets the state machine look for each [Mutant] and prints after how many steps it broke a
/// promise; `make seeded`. For those that say so the single faults in memory look instead, or the
/// search through every state of a move. No other test takes part: what unit tests find is another
/// question.
///
/// All play on one API server, the agent and what looks for its defect loaded anew for each.
/// `-Dpolicysync.mutants=07,12` looks for these alone; where it is one, the play is shrunk.
@RealCluster
class SeededDefects {
  private static final Path FOLDER = Path.of("target", "mutants");
  private static final String FAULTS = "SingleFaultsTest";
  private static final String MOVES = "EveryMoveTest";

  @Test
  void areFoundWhereTheySay(Sandbox sandbox) throws Exception {
    var only = System.getProperty("policysync.mutants", "");
    var mutants =
        Mutant.all(Path.of("")).stream()
            .filter(mutant ->
                only.isEmpty() || Stream.of(only.split(",")).anyMatch(mutant.name()::startsWith))
            .toList();
    Files.createDirectories(FOLDER);
    var table = new ArrayList<>(List.of("| defect | promise | found in |", "|---|---|---|"));
    var surprises = new ArrayList<String>();
    for (int i = 0; i < mutants.size(); i++) {
      var mutant = mutants.get(i);
      var broken = play(mutant, sandbox.cluster(), 1000 + i, mutants.size() == 1);
      var line =
          "| %s | %d | %s |"
              .formatted(
                  mutant.says(),
                  mutant.promise(),
                  broken.isEmpty() ? "not: " + mutant.finder() : broken.split(":", 2)[0]);
      table.add(line);
      System.out.println(mutant.name() + "\n" + line + "\n    " + broken);
      if (broken.isEmpty() == Set.of("StateMachineIT", FAULTS, MOVES).contains(mutant.finder())) {
        surprises.add(mutant.name());
      }
    }
    Files.write(FOLDER.resolve("table.md"), table);
    assertThat(surprises).as("mutants that are not found, or are, against what they say").isEmpty();
  }

  private static String play(Mutant mutant, TestCluster cluster, int number, boolean shrinks)
      throws Exception {
    var there = SeededDefects.class.getProtectionDomain().getCodeSource().getLocation();
    var changed = compiled(mutant, there);
    try (var loader =
        new URLClassLoader(new URL[] {changed.toUri().toURL(), there}, new LibrariesOnly())) {
      if (mutant.finder().equals(FAULTS)) {
        return (String)
            loader.loadClass(FaultSearch.class.getName()).getMethod("first").invoke(null);
      }
      if (mutant.finder().equals(MOVES)) {
        return (String)
            loader.loadClass(EveryMoveTest.class.getName()).getMethod("first").invoke(null);
      }
      return (String)
          loader
              .loadClass(RandomPlay.class.getName())
              .getMethod(
                  "at",
                  String.class,
                  Path.class,
                  String.class,
                  int.class,
                  long.class,
                  int.class,
                  boolean.class)
              .invoke(
                  null,
                  cluster.url().toString(),
                  cluster.folder(),
                  cluster.adminToken(),
                  number,
                  Long.getLong("policysync.seed", 20_261_121),
                  Integer.getInteger("policysync.steps", 100),
                  shrinks);
    }
  }

  /// The changed classes alone.
  private static Path compiled(Mutant mutant, URL there) throws IOException, URISyntaxException {
    var folder = FOLDER.resolve(mutant.name());
    var sources = mutant.write(Path.of(""), folder);
    var classes = Files.createDirectories(folder.resolve("classes"));
    var said = new ByteArrayOutputStream();
    var options =
        List.of(
            "-proc:none",
            "-implicit:none",
            "-d",
            classes.toString(),
            "-cp",
            Path.of(there.toURI()) + File.pathSeparator + System.getProperty("java.class.path"));
    var arguments = Stream.concat(options.stream(), sources.stream().map(Path::toString));
    var status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));
    assertThat(status).as(mutant.name() + ": " + said).isZero();
    return classes;
  }

  /// Of this JVM's classes none of ours.
  private static final class LibrariesOnly extends ClassLoader {
    LibrariesOnly() {
      super(SeededDefects.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("dev.policysync.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}
