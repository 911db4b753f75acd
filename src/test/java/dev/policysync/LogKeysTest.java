package dev.policysync;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The keys of log lines are those that `CONTRIBUTING.md` lists, and no others.
class LogKeysTest {
  /// The exchange log is given its last key by those who call it.
  private static final Pattern IN_CODE =
      Pattern.compile("(?:addKeyValue\\(|write\\(chain,)\\s*\"(\\w+)\"");

  private static final Pattern IN_LIST = Pattern.compile("`(\\w+)`");

  @Test
  void areThoseThatAreListed() throws IOException {
    var page = Files.readString(Path.of("CONTRIBUTING.md"));
    var list = page.substring(page.indexOf("The keys:"));
    var listed = keys(IN_LIST, list.substring(0, list.indexOf("\n\n")));
    var used = new TreeSet<String>();
    try (var files = Files.walk(Path.of("src", "main", "java"))) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> used.addAll(keys(IN_CODE, text(file))));
    }

    assertThat(used).isEqualTo(listed);
  }

  private static Set<String> keys(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(toCollection(TreeSet::new));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
