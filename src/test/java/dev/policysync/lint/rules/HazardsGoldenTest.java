package dev.policysync.lint.rules;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import dev.policysync.lint.Hazard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each example says what it should, each hazard has examples, and its page is made from them.
class HazardsGoldenTest {
  private static final Path PAGES = Path.of("docs/lint");
  private static final Path MESSAGES = Path.of("src/test/resources/lint/messages.txt");

  @ParameterizedTest
  @MethodSource("flagged")
  void saysWhatIsWrong(LintCase example) {
    var text = example.text();

    assertThat(text).isNotEmpty();
    Golden.assertEqual(example.expected(), text);
  }

  @ParameterizedTest
  @MethodSource("clean")
  void leavesAloneWhatOnlyLooksLikeIt(LintCase example) {
    assertThat(example.text()).isEmpty();
  }

  @Test
  void oneFileShowsEverythingThatLintSays() {
    Golden.assertEqual(MESSAGES, flagged().stream().map(LintCase::text).collect(joining()));
  }

  @ParameterizedTest
  @MethodSource("hazards")
  void everyHazardHasTwoExamplesOfEachSort(Hazard hazard) {
    var cases = LintCase.of(hazard.id());

    assertThat(cases).filteredOn(LintCase::flagged).hasSizeGreaterThanOrEqualTo(2);
    assertThat(cases).filteredOn(LintCase::clean).hasSizeGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("hazards")
  void everyHazardHasItsPage(Hazard hazard) {
    Golden.assertEqual(PAGES.resolve(hazard.id() + ".md"), HazardPage.of(hazard));
  }

  @Test
  void thereIsAnIndexOfAllPages() {
    Golden.assertEqual(PAGES.resolve("README.md"), HazardPage.index(Catalogue.hazards()));
  }

  @Test
  void thereIsNoFileThatNothingUses() throws Exception {
    var used =
        Stream.concat(
                LintCase.all().stream().map(LintCase::file),
                flagged().stream().map(LintCase::expected))
            .collect(toSet());
    var pages =
        Stream.concat(
                Stream.of("README.md"),
                Catalogue.hazards().stream().map(hazard -> hazard.id() + ".md"))
            .collect(toSet());

    assertThat(LintCase.files()).containsExactlyInAnyOrderElementsOf(used);
    try (var files = Files.list(PAGES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(pages);
    }
  }

  @Test
  void everyExampleBelongsToAHazardAndASort() {
    var ids = hazards().stream().map(Hazard::id).collect(toSet());

    assertThat(LintCase.all())
        .allSatisfy(example -> assertThat(ids).contains(example.hazard()))
        .allSatisfy(example -> assertThat(example.flagged() || example.clean()).isTrue());
  }

  @Test
  void noTwoHazardsHaveOneId() {
    assertThat(hazards()).extracting(Hazard::id).doesNotHaveDuplicates();
  }

  static List<Hazard> hazards() {
    return Catalogue.hazards();
  }

  static List<LintCase> flagged() {
    return LintCase.all().stream().filter(LintCase::flagged).toList();
  }

  static List<LintCase> clean() {
    return LintCase.all().stream().filter(LintCase::clean).toList();
  }
}
