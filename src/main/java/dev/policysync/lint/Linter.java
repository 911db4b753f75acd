package dev.policysync.lint;

import dev.policysync.lint.Rule.Trait;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.LocatedPolicies;
import dev.policysync.policy.feed.SkippedDocument;
import dev.policysync.policy.feed.UnreadableDocument;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds hazards in policies, without a cluster or network. The result depends only on the
/// policies, the rules, and the release of Kyverno, if one is given.
public final class Linter {
  static final Hazard UNREADABLE =
      new Hazard(
          "PS000",
          LintSeverity.ERROR,
          AffectedVersions.ALL,
          "Invalid policy document",
          """
          The document is invalid YAML, lacks a required field, has an unknown kind of Kyverno's API groups, \
          duplicates the name of another document, or uses a prefix that Kyverno reserves for generated objects \
          (`cpol-…`, `vpol-…`, `mpol-…`). A sync reports it as failed and removes nothing until it is fixed. All \
          other documents are linted, also those that share a name; where these stand in different files, that is \
          a warning, once per run.

          Objects of other kinds, Helm templates, kustomizations and the patches that they name are no findings: \
          the summary counts them. Lint what they render: `helm template . | policy-sync lint -`, \
          `kustomize build . | policy-sync lint -`.\
          """,
          "Fix or remove the document at the reported position.");

  private static final Comparator<LintFinding> ORDER =
      Comparator.comparingInt((LintFinding lintFinding) -> lintFinding.position().line())
          .thenComparingInt(lintFinding -> lintFinding.position().column())
          .thenComparing(lintFinding -> lintFinding.hazard().id());

  private final List<Rule> rules;
  private final Optional<KyvernoVersion> version;
  private final Set<String> ids;
  private final Set<String> oncePerRunIds;

  /// @param version the cluster's Kyverno; if empty, any release is assumed
  public Linter(List<Rule> rules, Optional<KyvernoVersion> version) {
    this.rules =
        rules.stream()
            .filter(rule -> version.map(rule.hazard().affectedVersions()::include).orElse(true))
            .toList();
    this.version = version;
    this.ids = ids(rules.stream());
    this.oncePerRunIds = ids(rules.stream().filter(rule -> rule.has(Trait.ONCE_PER_RUN)));
  }

  private static Set<String> ids(Stream<Rule> rules) {
    return rules.map(rule -> rule.hazard().id()).collect(Collectors.toSet());
  }

  /// Returns the hazards that the linter finds itself, without a rule.
  public static List<Hazard> ownHazards() {
    return List.of(UNREADABLE, Suppressions.WITHOUT_EFFECT);
  }

  /// Lints all policies of a feed, and reports documents that cannot be read.
  public LintResult judge(LocatedPolicies written) {
    var judgement = new Judgement();
    written.unreadable().forEach(judgement::unreadable);
    judgement.duplicates(written.duplicates());
    var policies = written.policies().stream().map(LintedPolicy::of).toList();
    var all = new PolicySet(policies);
    policies.forEach(policy -> judge(policy, rules, all, judgement));
    return judgement.sortedResult(oncePerRunIds, written.skipped());
  }

  /// Lints some policies of a sync. Rules may look up all its policies.
  ///
  /// @param judged the policies to lint
  /// @param mode with [LintMode#BLOCK], rules that read CEL run as well
  public LintResult judge(Collection<Policy> all, Set<PolicyId> judged, LintMode mode) {
    var rulesForMode =
        rules.stream()
            .filter(rule -> !rule.has(Trait.LINT_ONLY))
            .filter(rule -> mode == LintMode.BLOCK || !rule.has(Trait.READS_CEL))
            .toList();
    var subjects = all.stream().map(LintedPolicy::of).toList();
    var judgement = new Judgement();
    var set = new PolicySet(subjects);
    subjects.stream()
        .filter(policy -> judged.contains(policy.id()))
        .forEach(policy -> judge(policy, rulesForMode, set, judgement));
    return new LintResult(judgement.findings, judgement.suppressed, List.of());
  }

  private void judge(LintedPolicy policy, List<Rule> rules, PolicySet all, Judgement judgement) {
    var found = new ArrayList<LintFinding>();
    Function<Hazard, LintFindingSink> sink =
        hazard -> new LintFindingSink(hazard, policy, version, all, found);
    var reasons = Suppressions.reasons(policy, ids, sink.apply(Suppressions.WITHOUT_EFFECT));
    rules.forEach(rule -> rule.check().judge(policy, sink.apply(rule.hazard())));
    policy.releaseNodes();
    found.sort(ORDER);
    for (var lintFinding : found) {
      var reason = reasons.get(lintFinding.hazard().id());
      if (reason == null) {
        judgement.findings.add(lintFinding);
      } else {
        judgement.suppressed.add(new LintResult.Suppressed(lintFinding, reason));
      }
    }
  }

  private static final class Judgement {
    private final List<LintFinding> findings = new ArrayList<>();
    private final List<LintResult.Suppressed> suppressed = new ArrayList<>();

    private void unreadable(UnreadableDocument document) {
      findings.add(
          new LintFinding(
              UNREADABLE,
              LintSeverity.ERROR,
              document.id(),
              document.id().map(PolicyId::toString).orElseGet(() -> nameless(document)),
              document.positions().getFirst(),
              "",
              document.reason() + others(document.positions()),
              UNREADABLE.fix()));
    }

    private static String nameless(UnreadableDocument document) {
      return document.name().orElse("document " + document.positions().getFirst().document());
    }

    private static String others(List<Position> positions) {
      return positions.stream()
          .skip(1)
          .map(position -> "; also at " + position.source() + ", line " + position.line())
          .collect(Collectors.joining());
    }

    /// Reports alternatives, which are policies that several files define, once per run, and every
    /// policy that one file defines twice.
    private void duplicates(List<LocatedPolicies.Duplicate> duplicates) {
      var alternatives = duplicates.stream().filter(it -> !it.inOneFile()).toList();
      for (var duplicate : duplicates) {
        if (duplicate.inOneFile()) {
          duplicate(
              duplicate,
              LintSeverity.ERROR,
              duplicate.positions().size()
                  + " documents define this policy; keep one"
                  + others(duplicate.positions()));
        }
      }
      if (!alternatives.isEmpty()) {
        var first = alternatives.getFirst();
        duplicate(
            first,
            LintSeverity.WARNING,
            "another file defines this policy"
                + others(first.positions())
                + (alternatives.size() == 1
                    ? ""
                    : "; " + alternatives.size() + " policies are defined by more than one file")
                + "; a sync of all these files rejects them");
      }
    }

    private void duplicate(
        LocatedPolicies.Duplicate duplicate, LintSeverity lintSeverity, String message) {
      findings.add(
          new LintFinding(
              UNREADABLE,
              lintSeverity,
              Optional.of(duplicate.id()),
              duplicate.id().toString(),
              duplicate.positions().getFirst(),
              "",
              message,
              "Keep one of them, or exclude the other files (--exclude)."));
    }

    /// Sorts the findings by file and line, so that the findings of a file stand together.
    private LintResult sortedResult(Set<String> onceARun, List<SkippedDocument> skipped) {
      findings.sort(
          Comparator.comparing((LintFinding lintFinding) -> lintFinding.position().source())
              .thenComparingInt(lintFinding -> lintFinding.position().line()));
      return new LintResult(Summarized.summarize(findings, onceARun), suppressed, skipped);
    }
  }
}
