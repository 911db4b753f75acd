package dev.policysync.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.cli.Invocation;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.report.view.FindingContext;
import dev.policysync.report.view.FindingsJson;
import dev.policysync.report.view.ReportHeader;
import dev.policysync.report.view.ViewSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewOptionsTest {
  private Path earlier;

  @BeforeEach
  void writeAnEarlierReport(@TempDir Path folder) throws IOException {
    earlier = folder.resolve("earlier.json");
    try (var out = Files.newBufferedWriter(earlier)) {
      FindingsJson.write(ViewSamples.few(), ViewSamples.CONTEXT, out);
    }
  }

  @Test
  void saysNothingBesideFindingsUnlessAsked() {
    assertThat(context(options())).isEqualTo(FindingContext.of(ViewSamples.OCCASION));
  }

  @Test
  void comparesWithTheEarlierReport() {
    var comparison = context(options("--since", earlier.toString())).comparison().orElseThrow();

    assertThat(comparison.added()).isZero();
    assertThat(comparison.gone()).isZero();
    assertThat(comparison.since()).isEqualTo(ViewSamples.AT);
  }

  @Test
  void refusesAReportAboutAnotherCluster() {
    var other = new ReportHeader("acme/prod-2", ViewSamples.AT, "");

    assertThatThrownBy(() -> options(other, "--since=" + earlier))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage("--since: " + earlier + " is about cluster acme/prod-1, not about acme/prod-2");
  }

  @Test
  void takesAReportWhereTheClusterHasNoName() {
    var nameless = new ReportHeader("", ViewSamples.AT, "");

    assertThat(options(nameless, "--since=" + earlier).baseline()).isPresent();
  }

  @Test
  void knowsTheOwnersWhereNamespacesMayBeListed() {
    var options = options("--owner-label", "acme.example/team");

    var known =
        options.context(
            ViewSamples.few(), ViewSamples.OCCASION, label -> Optional.of(Map.of("shop", label)));

    assertThat(known.owners().orElseThrow().byNamespace())
        .containsEntry("shop", "acme.example/team");
    assertThat(known.owners().orElseThrow().readable()).isTrue();
    assertThat(context(options).owners().orElseThrow().readable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "team=x", "a/b/c", "-team", "*"})
  void refusesWhatIsNoLabel(String label) {
    assertThatThrownBy(() -> options("--owner-label=" + label))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage("--owner-label is not a label's key, such as team or acme.example/team");
  }

  @Test
  void refusesOptionsThatMeanNothingTogether() {
    assertThatThrownBy(() -> options("--storage", "--since", "a.json", "--owner-label", "team"))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("--since is for findings, not for --storage")
        .hasMessageContaining("--owner-label is for findings, not for --storage");
  }

  private static FindingContext context(ViewOptions options) {
    return options.context(ViewSamples.few(), ViewSamples.OCCASION, _ -> Optional.empty());
  }

  private static ViewOptions options(String... options) {
    return options(ViewSamples.OCCASION, options);
  }

  private static ViewOptions options(ReportHeader reportHeader, String... options) {
    var arguments = new String[options.length + 1];
    arguments[0] = "report";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return switch (Invocation.of(arguments)) {
      case Invocation.Run run -> ViewOptions.of(run, reportHeader);
      case Invocation.Print(var text, _) -> throw new AssertionError(text);
    };
  }
}
