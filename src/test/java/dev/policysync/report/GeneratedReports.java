package dev.policysync.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The reports of a made-up cluster, in a layout of its own in each namespace, and what must be
/// found in them. What is expected is known from how the cluster is made up: which Pod is whose is
/// nothing that has to be guessed here.
final class GeneratedReports {
  private static final String[] KINDS = {
    "Deployment", "StatefulSet", "DaemonSet", "CronJob", "Pod", "ConfigMap"
  };
  private static final String[] RESULTS = {"pass", "fail", "fail", "warn", "error", "skip"};

  /// How many results a chunk has in the layout that has chunks; Kyverno has 1,000.
  private static final int CHUNK = 7;

  private final Random random;
  private final long now;
  private final List<Stored> stored = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();
  private int counted;
  private int uids;

  /// Where a report is created, and with what.
  record Stored(ReportKind kind, String namespace, String json) {}

  private enum Layout {
    PER_NAMESPACE,
    PER_POLICY_IN_CHUNKS,
    PER_RESOURCE,
    OPEN_REPORTS,
    OPEN_REPORTS_BESIDE_STALE_ONES
  }

  private record Policy(String source, String name, String rule) {}

  private record Thing(String kind, String namespace, String name, String uid) {
    String json() {
      var apiVersion =
          switch (kind) {
            case "Pod", "ConfigMap", "Namespace" -> "v1";
            case "CronJob" -> "batch/v1";
            default -> "apps/v1";
          };
      return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\",\"uid\":\"%s\"%s}"
          .formatted(
              apiVersion,
              kind,
              name,
              uid,
              namespace.isEmpty() ? "" : ",\"namespace\":\"" + namespace + "\"");
    }
  }

  private record Fact(Policy policy, String rule, Thing thing, String result) {}

  /// @param now seconds since 1970; later than the API server's clock, which stamps the reports
  GeneratedReports(long seed, long now, List<String> namespaces) {
    this.random = new Random(seed);
    this.now = now;
    for (var i = 0; i < namespaces.size(); i++) {
      var layouts = Layout.values();
      namespace(namespaces.get(i), layouts[i % layouts.length]);
    }
    cluster(namespaces);
  }

  List<Stored> stored() {
    return List.copyOf(stored);
  }

  /// `fail kyverno shop/team-label Deployment/shop/cart +3`, in alphabetical order.
  List<String> expected() {
    return expected.stream().sorted().toList();
  }

  /// How many results there are, of every kind, each thing once.
  int counted() {
    return counted;
  }

  private void namespace(String namespace, Layout layout) {
    var policies =
        List.of(
            new Policy("kyverno", "team-label", "has-label"),
            new Policy("kyverno", namespace + "/of-the-namespace", "a".repeat(60)),
            new Policy("KyvernoValidatingPolicy", "team-label", ""),
            new Policy("Trivy", "CVE-2026-" + random.nextInt(1000), "scan"));
    var facts = new ArrayList<Fact>();
    for (var i = 0; i < 6; i++) {
      workload(namespace, KINDS[i], "w" + i + "-" + word(5), policies, facts);
    }
    switch (layout) {
      case PER_NAMESPACE ->
          add(ReportKind.POLICY_REPORT, namespace, "polr-ns-" + namespace, facts, now);
      case PER_POLICY_IN_CHUNKS -> chunks(namespace, facts);
      case PER_RESOURCE -> perResource(ReportKind.POLICY_REPORT, namespace, facts, now);
      case OPEN_REPORTS -> perResource(ReportKind.REPORT, namespace, facts, now);
      case OPEN_REPORTS_BESIDE_STALE_ONES -> {
        perResource(ReportKind.REPORT, namespace, facts, now);
        perResource(ReportKind.POLICY_REPORT, namespace, stale(facts), now - 1000);
      }
    }
  }

  /// A thing and its Pods, each with a result on each policy; most Pods have their controller's.
  private void workload(
      String namespace, String kind, String name, List<Policy> policies, List<Fact> facts) {
    var controller = new Thing(kind, namespace, name, uid());
    var pods = new ArrayList<Thing>();
    var template = word(9);
    for (var i = 0; i < random.nextInt(4); i++) {
      switch (kind) {
        case "Deployment" -> pods.add(pod(namespace, name + "-" + template + "-" + word(5)));
        case "StatefulSet" -> pods.add(pod(namespace, name + "-" + i));
        case "DaemonSet" -> pods.add(pod(namespace, name + "-" + word(5)));
        case "CronJob" -> pods.add(pod(namespace, name + "-" + (28934560 + i) + "-" + word(5)));
        default -> {}
      }
    }
    for (var policy : policies) {
      var result = RESULTS[random.nextInt(RESULTS.length)];
      var folded = 0;
      for (var pod : pods) {
        var own = random.nextInt(5) == 0 ? RESULTS[random.nextInt(RESULTS.length)] : result;
        facts.add(new Fact(policy, policy.rule(), pod, own));
        if (own.equals(result)) {
          folded++;
        } else {
          expect(policy, pod, own, 0);
        }
      }
      var derived =
          kind.equals("Pod") || kind.equals("ConfigMap") ? policy.rule() : autogen(kind, policy);
      facts.add(new Fact(policy, derived, controller, result));
      expect(policy, controller, result, folded);
    }
  }

  private static String autogen(String kind, Policy policy) {
    if (!policy.source().equals("kyverno")) {
      return policy.rule();
    }
    var rule = (kind.equals("CronJob") ? "autogen-cronjob-" : "autogen-") + policy.rule();
    return rule.substring(0, Math.min(63, rule.length()));
  }

  private void expect(Policy policy, Thing thing, String result, int pods) {
    counted++;
    if (!result.equals("pass") && !result.equals("skip")) {
      expected.add(
          "%s %s %s %s/%s/%s +%d"
              .formatted(
                  result,
                  policy.source(),
                  policy.name(),
                  thing.kind(),
                  thing.namespace(),
                  thing.name(),
                  pods));
    }
  }

  /// Reports on things that live in no namespace.
  private void cluster(List<String> namespaces) {
    var facts = new ArrayList<Fact>();
    for (var namespace : namespaces) {
      var policy = new Policy("kyverno", "namespace-label", "has-label");
      var thing = new Thing("Namespace", "", namespace, uid());
      var result = RESULTS[random.nextInt(RESULTS.length)];
      facts.add(new Fact(policy, "has-label", thing, result));
      expect(policy, thing, result, 0);
    }
    perResource(ReportKind.CLUSTER_POLICY_REPORT, "", facts, now);
  }

  private void perResource(ReportKind kind, String namespace, List<Fact> facts, long seconds) {
    for (var thing : facts.stream().map(Fact::thing).distinct().toList()) {
      var results =
          facts.stream()
              .filter(fact -> fact.thing().equals(thing))
              .map(fact -> result(fact, seconds, ""))
              .toList();
      store(
          kind,
          namespace,
          thing.uid(),
          ",\"labels\":{\"app.kubernetes.io/managed-by\":\"kyverno\"}",
          ",\"scope\":" + thing.json(),
          results);
    }
  }

  /// The same thing may stand in several chunks, with older results that were never taken out.
  private void chunks(String namespace, List<Fact> facts) {
    var all = new ArrayList<>(facts);
    for (var from = 0; from < all.size(); from += CHUNK) {
      var chunk = all.subList(from, Math.min(all.size(), from + CHUNK));
      add(ReportKind.POLICY_REPORT, namespace, "cpol-x-" + from, chunk, now);
    }
    add(
        ReportKind.POLICY_REPORT,
        namespace,
        "cpol-x-older",
        stale(facts).subList(0, 5),
        now - 1000);
  }

  private void add(ReportKind kind, String namespace, String name, List<Fact> facts, long seconds) {
    var results =
        facts.stream()
            .map(fact -> result(fact, seconds, ",\"resources\":[" + fact.thing().json() + "]"))
            .toList();
    store(kind, namespace, name, "", "", results);
  }

  /// The same facts with other results.
  private List<Fact> stale(List<Fact> facts) {
    return facts.stream()
        .map(fact ->
            new Fact(
                fact.policy(), fact.rule(), fact.thing(), RESULTS[random.nextInt(RESULTS.length)]))
        .toList();
  }

  private static String result(Fact fact, long seconds, String more) {
    return "{\"source\":\"%s\",\"policy\":\"%s\",%s\"result\":\"%s\",\"message\":\"m\",\"timestamp\":{\"seconds\":%d,\"nanos\":0}%s}"
        .formatted(
            fact.policy().source(),
            fact.policy().name(),
            fact.rule().isEmpty() ? "" : "\"rule\":\"" + fact.rule() + "\",",
            fact.result(),
            seconds,
            more);
  }

  private void store(
      ReportKind kind,
      String namespace,
      String name,
      String labels,
      String scope,
      List<String> results) {
    var version = kind.isOpenReports() ? "v1alpha1" : "v1alpha2";
    stored.add(
        new Stored(
            kind,
            namespace,
            "{\"apiVersion\":\"%s/%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"%s}%s,\"results\":[%s]%s}"
                .formatted(
                    kind.group(),
                    version,
                    kind.kind(),
                    name,
                    labels,
                    scope,
                    String.join(",", results),
                    kind.isOpenReports() ? ",\"source\":\"kyverno\"" : "")));
  }

  private Thing pod(String namespace, String name) {
    return new Thing("Pod", namespace, name, uid());
  }

  private String uid() {
    uids++;
    return "%08x-%04x-4000-8000-%012x".formatted(random.nextInt(), uids & 0xffff, uids);
  }

  private String word(int length) {
    var word = new StringBuilder();
    for (var i = 0; i < length; i++) {
      word.append("bcdfghjklmnpqrstvwxz2456789".charAt(random.nextInt(27)));
    }
    return word.toString();
  }
}
