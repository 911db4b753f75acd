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

    ## What lint says

    ```yaml
    %s```

    ```text
    %s```

    ## What is fine

    ```yaml
    %s```

    Where it is meant so, say why, and it is listed as suppressed:

    ```yaml
    metadata:
      annotations:
        policysync.dev/lint-ignore: "%s: the reason"
    ```

    [All hazards](README.md)
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
            hazard.id());
  }

  static String index(List<Hazard> hazards) {
    return """
    # What lint looks for

    `policy-sync lint FILE|DIR|-` judges policies without a cluster and without a network. Each finding has an id, a page here, a line in
    the file and a way out. An *error* is refused by Kyverno or the API server, or stops work that it does not mean to stop; a *warning* works
    until something else happens; a *note* never fails a run. The column Kyverno names the releases that a hazard concerns; with
    `--kyverno-version` only those of that release are found, without it those of any.

    | id | severity | Kyverno | hazard |
    |---|---|---|---|
    %s
    Where it is meant so, say why; without a reason it does not count:

    ```yaml
    metadata:
      annotations:
        policysync.dev/lint-ignore: "PS005: it guards kube-system, too; PS006: reviewed by the platform team"
    ```

    A sync uses the same rules on new and changed policies (`LINT`): `warn` adds errors and warnings to the summary, `block` withholds
    what has an error, and with it the removal of the policy of that name and another kind. Rules that read CEL (PS020, PS033, PS038)
    are asked by `block` alone, for the policies that a run writes: the parser costs such a run half a second, and no other.
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
