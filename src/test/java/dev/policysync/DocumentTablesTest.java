package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A table is for facts at a glance; what takes more than a sentence or two is a list.
class DocumentTablesTest {
  private static final int LONGEST_CELL = 300;

  @Test
  void noCellOfATableIsLongerThanAFewSentences() throws IOException {
    var tooLong = new ArrayList<String>();
    for (var page : pages()) {
      Files.readAllLines(page).stream()
          .filter(line -> line.startsWith("|"))
          .flatMap(line -> Arrays.stream(line.split("(?<!\\\\)\\|")))
          .filter(cell -> cell.strip().length() > LONGEST_CELL)
          .forEach(cell -> tooLong.add(page + ": " + cell.strip()));
    }

    assertThat(tooLong).isEmpty();
  }

  private static Iterable<Path> pages() throws IOException {
    try (Stream<Path> root = Files.list(Path.of("."));
        Stream<Path> docs = Files.walk(Path.of("docs"));
        Stream<Path> chart = Files.list(Path.of("chart"));
        Stream<Path> examples = Files.list(Path.of("examples"))) {
      return Stream.of(root, docs, chart, examples)
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }
}
