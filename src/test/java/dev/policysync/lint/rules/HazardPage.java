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

    What many policies have and what is dealt with for all at once (PS002, PS003, PS004, PS028) is told once per run, with the number of policies.
    Documents that are no policies are counted in one line: objects of other kinds, values files, Helm templates (`helm template CHART |
    policy-sync lint -`), kustomizations (`kustomize build DIR | policy-sync lint -`) and the patches that they name, and what tests expect of
    policies (a status without a spec, as Chainsaw has it). `--exclude templates,*.tmpl.yaml` leaves out files and directories.

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
    policies with errors, and the removal of the policy of the same name with another kind. Rules that parse CEL (PS020, PS033, PS038, PS054, PS055)
    only run with `block`, for the policies that a run writes, because loading the parser takes half a second. Schemas and JMESPath (PS041, PS051)
    are for `lint` alone: in a sync the API server and Kyverno judge by them.

    ## Measured

    `dev/lint-corpus DIR` prints how many files have an error, a warning or a note, and by which rule; with `--each` every file is judged by
    itself. On the half of Kyverno's public policy library that is used for measuring (163 files, commit b9c4317c):

    | | before | now |
    |---|---|---|
    | files with an error | 0 (0.0 %%) | 0 (0.0 %%) |
    | files with a warning, one run | 157 (96.3 %%) | 16 (9.8 %%) |
    | files with a warning, a run for each file, for Kyverno 1.18.2 | 157 (96.3 %%) | 14 (8.6 %%) |

    In a run for each file without a release all 163 have a warning, that their kind has no effect from Kyverno 1.20 on (PS004).

    What Kyverno 1.19.0 does with a policy was tried in dry runs, its ServiceAccounts being allowed everything:

    | policies | refused | of these an error | accepted | of these an error |
    |---|---|---|---|---|
    | those in the tests of Kyverno 1.19.0 | 122 | 117 (96 %%) | 1,247 | 3 |
    | 24 everyday mistakes (`src/test/resources/mistakes`) | 24 | 24 | 0 | 0 |

    The three are a document with a key twice, which only a sync refuses, and two rules for a subresource that does not exist (`Pod/scale`). The
    five are arguments of a function of Kyverno that do not fit (2), kinds of which only the cluster knows whether they live in a namespace (2), and
    a reference `$(…)`. CEL's types are checked as far as they show without declarations: CEL's own checker brings protobuf, 2 MB more, for two policies
    of 122.
    `LintExamplesIT` has Kyverno refuse every example of an error and take every one of what is fine.
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
