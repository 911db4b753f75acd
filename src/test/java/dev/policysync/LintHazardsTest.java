package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.lint.Finder;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Subject;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.FilePolicySource;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyReader;
import dev.policysync.sync.Hazards.Weight;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A rule that breaks on one policy.
class LintHazardsTest {
  private static final List<Policy> ALL =
      PolicyReader.read(
              new FilePolicySource("examples/policies", InputStream::nullInputStream).read())
          .policies();
  private static final PolicyId ODD = ALL.getFirst().id();

  @ParameterizedTest
  @CsvSource({"WARN, WARNING", "BLOCK, WITHHOLDS"})
  void stopsNoOtherPolicy(LintMode mode, Weight weight) {
    var hazards =
        new LintHazards(mode, List.of(new Breaking()))
            .of(ALL, ALL.stream().map(Policy::id).collect(Collectors.toSet()));

    assertThat(hazards)
        .singleElement()
        .satisfies(hazard -> {
          assertThat(hazard.policy()).isEqualTo(ODD);
          assertThat(hazard.weight()).isEqualTo(weight);
          assertThat(hazard.text()).contains("lint cannot judge it");
        });
    assertThat(new LintHazards(mode, List.of(new Breaking())).of(ALL, Set.of(ALL.getLast().id())))
        .isEmpty();
  }

  private static final class Breaking implements Rule {
    @Override
    public Hazard hazard() {
      return Catalogue.rules().getFirst().hazard();
    }

    @Override
    public void judge(Subject policy, PolicySet all, Finder found) {
      if (policy.id().equals(ODD)) {
        throw new ClassCastException("as by a defect");
      }
    }
  }
}
