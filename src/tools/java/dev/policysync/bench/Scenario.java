package dev.policysync.bench;

import java.util.List;
import java.util.stream.Stream;

/// One row of the table.
///
/// @param id how `ONLY` names it: `noop-100`
/// @param policies how many the feed has
/// @param repetitions how often it is run, unless somebody says otherwise
/// @param kyverno whether a real one is in the cluster
record Scenario(
    String id, Work work, int policies, Budget budget, int repetitions, boolean kyverno) {
  /// As many policies of these sizes as the usual heap takes.
  private static final int LARGEST = 2_000;

  Scenario(String id, Work work, int policies, Budget budget, int repetitions) {
    this(id, work, policies, budget, repetitions, false);
  }

  /// What is done, and in which state of the cluster.
  enum Work {
    NO_OP("no-op"),
    NO_OP_COMPARED("no-op that compares everything"),
    NO_OP_LIMITED("no-op, 200m CPU and 256 MiB"),
    NO_OP_OF_IMAGE("no-op of the image, 200m CPU and 256 MiB"),
    NO_OP_RUNTIMES_ROOTS("no-op, the API's CA among Java's own"),
    NO_OP_ONE_ROOT("no-op, the API's CA alone, none of Java's"),
    DRY_RUN("dry run of a first sync"),
    FIRST_SYNC("first sync"),
    FIRST_SYNC_HTTP2("first sync, the remote API over HTTP/2"),
    FIRST_SYNC_FAR("first sync, the remote API over HTTP/2 and 100 ms away"),
    TEN_CHANGED("10 policies changed"),
    LINT("lint of a file, no cluster"),
    KUBECTL_FIRST("kubectl apply --server-side, first"),
    KUBECTL_AGAIN("kubectl apply --server-side, again"),
    REPORT("report, 10,000 reports of 6 results"),
    REPORT_OF_A_STAND_IN("report, 100,000 reports of 6 results by a stand-in");

    private final String title;

    Work(String title) {
      this.title = title;
    }

    /// Whether it has no more than what the chart's limits give a Pod.
    boolean limited() {
      return this == NO_OP_LIMITED || this == NO_OP_OF_IMAGE;
    }
  }

  /// Those without a Kyverno, in an order in which the cluster is filled and emptied seldom.
  static List<Scenario> all() {
    return List.of(
        of("noop-0", Work.NO_OP, 0, Budget.NONE),
        of("noop-1", Work.NO_OP, 1, Budget.NONE),
        of("noop-30", Work.NO_OP, 30, Budget.NONE),
        of("noop-30-limited", Work.NO_OP_LIMITED, 30, Budget.NONE),
        of("noop-30-image", Work.NO_OP_OF_IMAGE, 30, Budget.wall(3_000).cpu(600)),
        of("noop-100", Work.NO_OP, 100, Budget.wall(500).cpu(650).peakRss(96)),
        of("noop-100-roots", Work.NO_OP_RUNTIMES_ROOTS, 100, Budget.NONE),
        of("noop-100-one-root", Work.NO_OP_ONE_ROOT, 100, Budget.NONE),
        of("noop-100-compared", Work.NO_OP_COMPARED, 100, Budget.NONE),
        of("noop-1000", Work.NO_OP, 1_000, Budget.wall(700).cpu(900).peakRss(110)),
        of("noop-1000-compared", Work.NO_OP_COMPARED, 1_000, Budget.NONE),
        of("changed-1000", Work.TEN_CHANGED, 1_000, Budget.NONE),
        of("noop-5000", Work.NO_OP, 5_000, Budget.wall(1_300).cpu(1_500).peakRss(128)),
        of("noop-5000-compared", Work.NO_OP_COMPARED, 5_000, Budget.NONE),
        of("dry-run-100", Work.DRY_RUN, 100, Budget.NONE),
        of("first-100", Work.FIRST_SYNC, 100, Budget.NONE.peakRss(128)),
        of("first-100-http2", Work.FIRST_SYNC_HTTP2, 100, Budget.NONE),
        of("first-100-far", Work.FIRST_SYNC_FAR, 100, Budget.NONE),
        of("first-1000", Work.FIRST_SYNC, 1_000, Budget.NONE.peakRss(128)),
        of("first-1000-http2", Work.FIRST_SYNC_HTTP2, 1_000, Budget.NONE),
        of("first-1000-far", Work.FIRST_SYNC_FAR, 1_000, Budget.NONE),
        of("lint-100", Work.LINT, 100, Budget.NONE),
        of("lint-1000", Work.LINT, 1_000, Budget.NONE.cpu(3_000)),
        of("kubectl-first-100", Work.KUBECTL_FIRST, 100, Budget.NONE),
        of("kubectl-again-100", Work.KUBECTL_AGAIN, 100, Budget.NONE),
        // Half a minute each: three show as much as five.
        new Scenario("kubectl-first-1000", Work.KUBECTL_FIRST, 1_000, Budget.NONE, 3),
        new Scenario("kubectl-again-1000", Work.KUBECTL_AGAIN, 1_000, Budget.NONE, 3),
        new Scenario("report-10000", Work.REPORT, 0, Budget.NONE, 3),
        new Scenario(
            "report-100000",
            Work.REPORT_OF_A_STAND_IN,
            0,
            Budget.NONE.cpu(20_000).peakRss(128),
            3));
  }

  private static Scenario of(String id, Work work, int policies, Budget budget) {
    return new Scenario(id, work, policies, budget, 5);
  }

  /// Those with a Kyverno.
  static List<Scenario> allWithKyverno() {
    return List.of(
        withKyverno("kyverno-dry-run-300", Work.DRY_RUN),
        withKyverno("kyverno-first-300", Work.FIRST_SYNC),
        withKyverno("kyverno-noop-300", Work.NO_OP),
        withKyverno("kyverno-kubectl-300", Work.KUBECTL_FIRST));
  }

  /// 300 policies at once, in a cluster that has a Kyverno. Once, as each takes minutes, nearly all
  /// of them by Kyverno's own limit.
  private static Scenario withKyverno(String id, Work work) {
    return new Scenario(id, work, 300, Budget.NONE, 1, true);
  }

  /// A first sync of ever more policies, each followed by no-ops.
  static List<Scenario> allThatGrow() {
    return Stream.of(100, 1_000, 5_000, 20_000)
        .flatMap(policies ->
            Stream.of(
                // Each first sync of many takes a minute or more.
                new Scenario(
                    "first-" + policies,
                    Work.FIRST_SYNC,
                    policies,
                    Budget.NONE,
                    policies > LARGEST ? 1 : 3),
                of("noop-" + policies, Work.NO_OP, policies, Budget.NONE)))
        .toList();
  }

  /// Whether the feed is larger than the usual heap takes.
  static boolean needsHeap(int policies) {
    return policies > LARGEST;
  }

  /// `no-op, 200m CPU and 256 MiB`.
  String title() {
    return kyverno ? work.title + ", with Kyverno" : work.title;
  }
}
