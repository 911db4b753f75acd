package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Each promise of `docs/safety.md` has tests in `docs/proofs.md`, and these exist.
class SafetyPageTest {
  private static final Path PROMISES = Path.of("docs", "safety.md");
  private static final Path PROOFS = Path.of("docs", "proofs.md");
  private static final Path TESTS = Path.of("src", "test", "java");
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT|Contract))#(\\w+)`");
  private static final Pattern PROMISE = Pattern.compile("^### (\\d+\\. .*)$", Pattern.MULTILINE);
  private static final Pattern PROOF =
      Pattern.compile("^### \\[(\\d+\\. [^]]*)].*?(?=^##|\\z)", Pattern.MULTILINE | Pattern.DOTALL);

  @Test
  void namesOnlyTestsThatExist() throws IOException {
    var missing =
        NAMED
            .matcher(Files.readString(PROOFS))
            .results()
            .filter(test -> !isThere(test.group(1), test.group(2)))
            .map(MatchResult::group)
            .toList();

    assertThat(missing).isEmpty();
  }

  @Test
  void namesTestsForEveryPromise() throws IOException {
    var promises =
        PROMISE.matcher(Files.readString(PROMISES)).results().map(found -> found.group(1)).toList();
    var proofs = PROOF.matcher(Files.readString(PROOFS)).results().toList();

    assertThat(promises).hasSize(15);
    assertThat(proofs).extracting(proof -> proof.group(1)).isEqualTo(promises);
    assertThat(proofs).allMatch(proof -> NAMED.matcher(proof.group()).find());
  }

  /// A test is a method behind `@Test` or `@ParameterizedTest`, which may be several lines up.
  private static boolean isThere(String type, String method) {
    var test =
        Pattern.compile(
            "@(?:Test|ParameterizedTest)\\b(?:(?!\\bvoid ).)*\\bvoid " + method + "\\(",
            Pattern.DOTALL);
    return sources(type).stream().anyMatch(source -> test.matcher(source).find());
  }

  private static List<String> sources(String type) {
    try (var files = Files.walk(TESTS)) {
      return files.filter(file -> file.endsWith(type + ".java")).map(SafetyPageTest::text).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for the tests", e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
