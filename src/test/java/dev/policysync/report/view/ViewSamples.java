package dev.policysync.report.view;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.report.Category;
import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportResult;
import dev.policysync.report.ReportSizes;
import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Resource;
import dev.policysync.report.ResultMessage;
import dev.policysync.report.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Findings to show.
public final class ViewSamples {
  /// When everything in them was read.
  public static final Instant AT = Instant.parse("2026-11-21T19:40:07Z");

  /// The head of a view of them.
  public static final ReportHeader OCCASION =
      new ReportHeader("acme/prod-1", AT, "policy-sync 0.1.0");

  /// Them without anything to compare them with.
  public static final FindingContext CONTEXT = FindingContext.of(OCCASION);

  /// What closes elements, comments, strings and lines, and begins a formula.
  public static final String HOSTILE =
      "=1+1</script><script>document.title='taken'</script><!--<img src=x onerror=\"document"
          + ".title='taken'\">'\"&amp;&lt;\u2028\u2029\0]]>`${1}\u202e";

  /// Owners by the label `team`; some namespaces have none.
  public static final Owners OWNERS =
      new Owners(
          "team",
          Map.of(
              "shop", "storefront", "payments", "money", "search", "storefront", "legacy", "core"),
          true);

  private ViewSamples() {}

  /// Three findings of three policies, with all that a finding may have and without.
  public static FakeFindings few() {
    var label =
        policy("kyverno", "team-label", "Require a team label")
            .withDescription("Without an owner nobody is called, \"at night\".\nSee the handbook.")
            .withRemediation("Add the label team.")
            .withLink("https://acme.example/policies/team-label?a=1&b=2");
    var limits = policy("KyvernoValidatingPolicy", "limits", "limits");
    var other =
        new ReportedPolicy(
            "trivy", "CVE-2026-1", Optional.empty(), "CVE-2026-1", "", "", Optional.empty());
    return FakeFindings.of(
        List.of(
            new Finding(
                label.made(),
                "check-team",
                ReportResult.FAIL,
                Severity.HIGH,
                Category.RELIABILITY,
                new Resource("apps/v1", "Deployment", "shop", "cart", "u-1"),
                ResultMessage.of(
                    "The label \"team\" is required,\nalways; ask <platform@acme.example>"),
                Optional.of(AT.minusSeconds(600)),
                3),
            new Finding(
                limits.made(),
                "",
                ReportResult.ERROR,
                Severity.MEDIUM,
                Category.EFFICIENCY,
                new Resource("v1", "Pod", "shop", "cart-0", "u-2"),
                new ResultMessage("-no such key: limits", true),
                Optional.of(AT.minusSeconds(60)),
                0),
            new Finding(
                other,
                "r",
                ReportResult.WARN,
                Severity.UNRATED,
                Category.SECURITY,
                new Resource("", "Namespace", "", "legacy", ""),
                ResultMessage.of(""),
                Optional.empty(),
                0)),
        new LinkedHashMap<>(Map.of(label.made(), 7L)),
        new CollectionStatistics(1, 2, 3, 0, 0, 4, 0, 1),
        Map.of(
            ReportKind.POLICY_REPORT, new ReportSizes(8, 12, 9_000, 5_400),
            ReportKind.CLUSTER_POLICY_REPORT, new ReportSizes(1, 1, 800, 450)));
  }

  /// As [#few()], but the second policy has the name of the first.
  public static FakeFindings namesakes() {
    var label = policy(CEL, "team-label", "Require a team label, in CEL").made();
    return FakeFindings.of(
        few().stream()
            .map(finding -> finding.policy().name().equals("limits") ? of(label, finding) : finding)
            .toList(),
        Map.of(),
        CollectionStatistics.NONE,
        Map.of());
  }

  private static Finding of(ReportedPolicy policy, Finding finding) {
    return new Finding(
        policy,
        finding.rule(),
        finding.result(),
        finding.severity(),
        finding.category(),
        finding.resource(),
        finding.resultMessage(),
        finding.seen(),
        finding.pods());
  }

  /// What [#few()] is compared with: a report of the day before that had two of them, one with a
  /// message and a result that have changed since, and one that is gone.
  public static FindingContext sinceYesterday(Path folder) throws IOException {
    var now = few().stream().toList();
    var label = now.getFirst();
    return since(
        folder,
        List.of(
            new Finding(
                label.policy(),
                label.rule(),
                ReportResult.ERROR,
                label.severity(),
                label.category(),
                label.resource(),
                ResultMessage.of("another message"),
                Optional.of(AT.minus(Duration.ofDays(3))),
                0),
            now.getLast(),
            new Finding(
                label.policy(),
                label.rule(),
                ReportResult.FAIL,
                Severity.HIGH,
                Category.RELIABILITY,
                new Resource("apps/v1", "Deployment", "shop", "<ledger>", "u-9"),
                ResultMessage.of("gone"),
                Optional.of(AT.minus(Duration.ofDays(5))),
                0)),
        few());
  }

  /// What [#ordinary] is compared with: a report of the day before that had four fifths of them,
  /// and some that are gone.
  public static FindingContext ordinarySinceYesterday(Path folder, int count) throws IOException {
    var before = new ArrayList<Finding>();
    ordinary(count * 4 / 5).stream()
        .forEach(finding -> before.add(old(finding, before.size() % 40)));
    return since(folder, before, ordinary(count));
  }

  private static Finding old(Finding finding, int days) {
    var resource = finding.resource();
    return new Finding(
        finding.policy(),
        finding.rule(),
        finding.result(),
        finding.severity(),
        finding.category(),
        new Resource(
            resource.apiVersion(),
            resource.kind(),
            resource.namespace(),
            resource.name(),
            days == 7 ? "gone-" + resource.uid() : resource.uid()),
        finding.resultMessage(),
        Optional.of(AT.minus(Duration.ofDays(days))),
        finding.pods());
  }

  private static FindingContext since(Path folder, List<Finding> before, Findings now)
      throws IOException {
    var file = folder.resolve("yesterday.json");
    var yesterday = new ReportHeader("acme/prod-1", AT.minus(Duration.ofDays(1)), "");
    try (var out = Files.newBufferedWriter(file)) {
      FindingsJson.write(
          FakeFindings.of(before, Map.of(), CollectionStatistics.NONE, Map.of()),
          FindingContext.of(yesterday),
          out);
    }
    return new FindingContext(
        OCCASION, Optional.of(Comparison.of(Baseline.read(file), now)), Optional.of(OWNERS));
  }

  /// As in an ordinary cluster: 10 policies, 8 namespaces.
  ///
  /// @param count how many findings
  public static FakeFindings ordinary(int count) {
    var random = new Random(7);
    var policies = new ArrayList<ReportedPolicy>();
    for (var known : KNOWN) {
      policies.add(
          policy(known.source(), known.name(), known.title())
              .withDescription(known.description())
              .withRemediation("Set it in the workload's manifest, or ask for an exception.")
              .made());
    }
    var findings = new ArrayList<Finding>();
    for (var i = 0; i < count; i++) {
      var which = skewed(random, KNOWN.size());
      var known = KNOWN.get(which);
      var namespace = NAMESPACES.get(skewed(random, NAMESPACES.size()));
      var workload = WORKLOADS.get(random.nextInt(WORKLOADS.size()));
      var kind = KINDS.get(skewed(random, KINDS.size()));
      findings.add(
          new Finding(
              policies.get(which),
              known.rule(),
              result(random),
              known.severity(),
              known.category(),
              new Resource("apps/v1", kind, namespace, workload + "-" + i % 97, "uid-" + i),
              ResultMessage.of(
                  "validation error: "
                      + known.description()
                      + " rule "
                      + known.rule()
                      + " failed at path /spec/template/spec/containers/"
                      + i % 3
                      + "/"),
              Optional.of(AT.minusSeconds(random.nextInt(3600))),
              kind.equals("Deployment") ? random.nextInt(4) : 0));
    }
    findings.sort(
        Comparator.comparing(Finding::severity)
            .thenComparing(finding -> finding.policy().name())
            .thenComparing(finding -> finding.resource().namespace()));
    var passes = new LinkedHashMap<ReportedPolicy, Long>();
    policies.forEach(policy -> passes.put(policy, (long) random.nextInt(Math.max(1, count / 3))));
    return FakeFindings.of(
        findings,
        passes,
        new CollectionStatistics(12, 40, 318, 0, 0, 2, 0, 0),
        Map.of(ReportKind.POLICY_REPORT, new ReportSizes(800, 9_000, 4_900_000, 4_100_000)));
  }

  /// Findings in which every text is [#HOSTILE].
  public static FakeFindings hostile() {
    var policy =
        new ReportedPolicy(
            HOSTILE,
            HOSTILE,
            Optional.empty(),
            "T" + HOSTILE,
            HOSTILE,
            HOSTILE,
            Optional.of("https://example.invalid/" + HOSTILE));
    return FakeFindings.of(
        List.of(
            new Finding(
                policy,
                HOSTILE,
                ReportResult.FAIL,
                Severity.CRITICAL,
                Category.SECURITY,
                new Resource(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
                ResultMessage.of(HOSTILE),
                Optional.empty(),
                0)),
        Map.of(),
        CollectionStatistics.NONE,
        Map.of(ReportKind.REPORT, new ReportSizes(1, 1, 900, 450)));
  }

  private record Known(
      String source,
      String name,
      String title,
      String rule,
      Severity severity,
      Category category,
      String description) {}

  private static final String CLASSIC = "kyverno";
  private static final String CEL = "KyvernoValidatingPolicy";

  private static final List<Known> KNOWN =
      List.of(
          new Known(
              CLASSIC,
              "require-requests-limits",
              "Require Limits and Requests",
              "validate-resources",
              Severity.MEDIUM,
              Category.EFFICIENCY,
              "CPU and memory resource requests and memory limits are required."),
          new Known(
              CLASSIC,
              "require-run-as-nonroot",
              "Require runAsNonRoot",
              "run-as-non-root",
              Severity.HIGH,
              Category.SECURITY,
              "Running as root is not allowed; runAsNonRoot must be true."),
          new Known(
              CLASSIC,
              "disallow-latest-tag",
              "Disallow Latest Tag",
              "validate-image-tag",
              Severity.MEDIUM,
              Category.RELIABILITY,
              "Using a mutable image tag, such as latest, is not allowed."),
          new Known(
              CLASSIC,
              "require-pod-probes",
              "Require Pod Probes",
              "validate-probes",
              Severity.LOW,
              Category.RELIABILITY,
              "Liveness, readiness, or startup probes are required for all containers."),
          new Known(
              CLASSIC,
              "restrict-image-registries",
              "Restrict Image Registries",
              "validate-registries",
              Severity.CRITICAL,
              Category.SECURITY,
              "The image's registry is not one of those that are allowed."),
          new Known(
              CEL,
              "require-labels",
              "Require Labels",
              "",
              Severity.LOW,
              Category.RELIABILITY,
              "The label app.kubernetes.io/name is required."),
          new Known(
              CLASSIC,
              "disallow-privileged-containers",
              "Disallow Privileged Containers",
              "privileged-containers",
              Severity.CRITICAL,
              Category.SECURITY,
              "Privileged mode is not allowed."),
          new Known(
              CLASSIC,
              "require-ro-rootfs",
              "Require Read-Only Root Filesystem",
              "validate-readOnlyRootFilesystem",
              Severity.MEDIUM,
              Category.SECURITY,
              "The root filesystem must be read-only."),
          new Known(
              CLASSIC,
              "disallow-host-path",
              "Disallow hostPath",
              "host-path",
              Severity.HIGH,
              Category.SECURITY,
              "HostPath volumes are forbidden."),
          new Known(
              "ValidatingAdmissionPolicy",
              "replica-limit.acme.example",
              "replica-limit.acme.example",
              "replica-limit.acme.example",
              Severity.UNRATED,
              Category.SECURITY,
              "A Deployment may have at most 20 replicas."));

  private static final List<String> NAMESPACES =
      List.of(
          "shop",
          "payments",
          "search",
          "monitoring",
          "ingress-nginx",
          "data-platform",
          "team-blue",
          "");

  private static final List<String> WORKLOADS =
      List.of("cart", "checkout", "catalog", "ledger", "indexer", "prometheus", "gateway");

  private static final List<String> KINDS =
      List.of("Deployment", "StatefulSet", "CronJob", "DaemonSet", "Pod");

  private static int skewed(Random random, int bound) {
    return (int) (random.nextDouble() * random.nextDouble() * bound);
  }

  private static ReportResult result(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> ReportResult.ERROR;
      case 1, 2 -> ReportResult.WARN;
      default -> ReportResult.FAIL;
    };
  }

  private static Draft policy(String source, String name, String title) {
    return new Draft(source, name, title, "", "", Optional.empty());
  }

  private record Draft(
      String source,
      String name,
      String title,
      String description,
      String remediation,
      Optional<String> link) {
    private Draft withDescription(String text) {
      return new Draft(source, name, title, text, remediation, link);
    }

    private Draft withRemediation(String text) {
      return new Draft(source, name, title, description, text, link);
    }

    private Draft withLink(String address) {
      return new Draft(source, name, title, description, remediation, Optional.of(address));
    }

    private ReportedPolicy made() {
      var kind =
          switch (source) {
            case CLASSIC -> PolicyKind.CLUSTER_POLICY;
            case CEL -> PolicyKind.VALIDATING_POLICY;
            default -> PolicyKind.VALIDATING_ADMISSION_POLICY;
          };
      var id = Optional.of(PolicyId.of(kind, name));
      return new ReportedPolicy(source, name, id, title, description, remediation, link);
    }
  }
}
