package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import java.util.List;
import java.util.stream.Collectors;

/// The pages below `docs/lint`, made from what the program says and from the examples that it is
/// tested with.
final class HazardPage {
  private HazardPage() {}

  static String of(Hazard hazard) {
    var cases = LintCase.of(hazard.id());
    var flagged = cases.stream().filter(LintCase::flagged).findFirst().orElseThrow();
    var clean = cases.stream().filter(LintCase::clean).findFirst().orElseThrow();
    return """
    # %s: %s

    | severity | Kyverno |
    |---|---|
    | %s | %s |

    %s

    **Fix**: %s

    ## Example

    ```yaml
    %s```

    ```text
    %s```

    ## Without the finding

    ```yaml
    %s```

    %s
    [All lint rules](README.md)
    """
        .formatted(
            hazard.id(),
            hazard.title(),
            hazard.lintSeverity().text(),
            hazard.affectedVersions(),
            hazard.explanation(),
            hazard.fix(),
            flagged.yaml(),
            flagged.text().strip() + "\n",
            clean.yaml(),
            suppression(hazard));
  }

  /// What cannot be read has no annotation to read.
  private static String suppression(Hazard hazard) {
    return hazard.id().equals("PS000")
        ? "It cannot be suppressed: what cannot be read has no annotations. Exclude the file (`--exclude`).\n"
        : """
        If this is intended, suppress the finding with a reason:

        ```yaml
        metadata:
          annotations:
            policysync.dev/lint-ignore: "%s: the reason"
        ```
        """
            .formatted(hazard.id());
  }

  static String index(List<Hazard> hazards) {
    return """
    # Lint rules

    `policy-sync lint FILE|DIR|-` checks policies without a cluster or network. Each finding has an id, a page in this directory, a line in the
    file and a fix. An *error* is rejected by Kyverno or the API server, or blocks unrelated workloads; a *warning* is a latent problem; a
    *note* never fails a run. The column Kyverno lists the affected releases; `--kyverno-version` limits the findings to one release.

    | id | severity | Kyverno | rule |
    |---|---|---|---|
    %s
    Suppress an intended finding with a reason; entries without a reason are ignored:

    ```yaml
    metadata:
      annotations:
        policysync.dev/lint-ignore: "PS005: it guards kube-system, too; PS006: reviewed by the platform team"
    ```

    A sync applies the same rules to new and changed policies (`LINT`): `warn` adds errors and warnings to the summary, `block` withholds
    policies with errors, and the removal of the policy of the same name with another kind. Rules that parse CEL (PS020, PS033, PS038) only
    run with `block`, for the policies that a run writes, because loading the parser takes half a second.
    """
        .formatted(
            hazards.stream()
                .map(hazard ->
                    "| [%s](%s.md) | %s | %s | %s |\n"
                        .formatted(
                            hazard.id(),
                            hazard.id(),
                            hazard.lintSeverity().text(),
                            hazard.affectedVersions(),
                            hazard.title()))
                .collect(Collectors.joining()));
  }
}
