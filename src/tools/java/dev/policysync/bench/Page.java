package dev.policysync.bench;

import java.util.List;

/// The figures of one run of `make bench`, and how to read them: `docs/performance.md`.
///
/// @param suite that was measured
/// @param date `2026-11-21`
/// @param load of the machine at the start and at the end
/// @param versions of the API server and of kubectl
/// @param fleet the table of [Fleet]
record Page(
    Suite suite,
    String date,
    String machine,
    String load,
    String versions,
    List<Result> results,
    String fleet) {
  String text() {
    return template()
        .replace("{date}", date)
        .replace("{machine}", machine)
        .replace("{load}", load)
        .replace("{versions}", versions)
        .replace("{figures}", ResultTables.figures(results))
        .replace("{comparisons}", Comparison.table(results))
        .replace("{slopes}", Growth.sentences(results))
        .replace("{fleet}", fleet);
  }

  /// The figures alone, for a run of a part.
  String tables() {
    return ResultTables.figures(results)
        + "\n"
        + Comparison.table(results)
        + "\nLoad average: "
        + load;
  }

  private String template() {
    return switch (suite) {
      case API_SERVER -> API_SERVER;
      case KYVERNO -> KYVERNO;
      case GROWTH -> GROWTH;
    };
  }

  private static final String KYVERNO =
      """
      # Performance with a real Kyverno

      Written by `make bench KYVERNO=1`; every figure is from that one run.

      - Command: `make bench KYVERNO=1`, on {date}
      - Machine: {machine}
      - Load average (one minute) at the start and at the end: {load}
      - {versions}, Kyverno's controllers on the same machine

      {figures}
      Each row is 300 policies at once: a preview, a first sync, a run with nothing to do, and kubectl's first `apply --server-side` of the
      same policies. All else is as in [performance.md](performance.md), where no admission webhook is asked. What Kyverno answered is
      counted by the API server.

      {comparisons}
      **The time is Kyverno's own limit.** For a policy with pod controllers it looks up its own rights some 38 times, and asks the API
      server no more than 100 times a second. To set up a cluster with many policies faster, raise `--clientRateLimitQPS` and
      `--clientRateLimitBurst` of its admission controller. More at a time (`CONCURRENCY`) does not help: the same lookups then wait
      longer, and a webhook that runs out of its ten seconds fails the policy. Where that happens, the agent sends fewer at a time.
      """;

  private static final String GROWTH =
      """
      # Performance as it grows

      Written by `make bench GROWTH=1`; every figure is from that one run, all else is as in [performance.md](performance.md).

      - Command: `make bench GROWTH=1`, on {date}
      - Machine: {machine}
      - Load average (one minute) at the start and at the end: {load}
      - {versions}

      ## Policies

      {figures}
      {slopes}
      A no-op lists the metadata of all policies, in pages of 500 of a kind, and takes a digest of the feed; it parses neither. A first
      sync parses, applies and reports each policy. Nothing grows faster than the number of policies.

      A feed of more than 7.7 MiB, some 2,500 policies of this size, needs more than the usual heap; the agent refuses it with the number
      to set. Rows that write more than 2,000 policies have `POLICY_SYNC_JAVA_OPTIONS=-Xmx1g`.

      ## Clusters

      What 10,000 clusters ask of the API while nothing changes, each every five minutes. No status is sent then, and no report. The chart
      spreads them over the minutes by organization and cluster: 50 requests in no second.

      {fleet}
      The first columns are one feed; the last four are a second's. *With an ETag* is what is left where the API sends one (compressed, and whole once an
      hour): the agent asks with `If-None-Match` then, and is answered 304 without the policies.
      """;

  private static final String API_SERVER =
      """
      # Performance

      Written by `make bench`; every figure in the tables but the Go agent's is from that one run.

      - Command: `make bench`, on {date}
      - Machine: {machine}
      - Load average (one minute) at the start and at the end: {load}
      - {versions}

      ## Figures

      Medians of n runs, each figure its own; "from – to" is the fastest and the slowest run. A missed budget is set in bold.

      {figures}
      ## Compared

      The Go agent is the one that policy-sync replaces. Its figures were measured on another day, on the same kind of machine
      and against the same kind of cluster, and are here to show the order of magnitude. kubectl is the API server's own
      version, with the same policies and in the same run. *For the cluster's CPU alone* is the ratio that a client which takes no CPU at all
      would come to here: API server and etcd share these cores with it.

      {comparisons}
      {slopes}
      ## What is measured

      - **One run is one process**, from its start to its end: the launcher `target/dist/bin/policy-sync` with the flags and the
        class cache of the image. Wall is by the monotonic clock around it; CPU (user and system) and peak memory are what the
        kernel counted, read by GNU time when the process has ended.
      - **The API server is a real one** with etcd, with Kyverno's CRDs but without Kyverno: no admission webhook is asked, so a
        first sync and a dry run take longer in a cluster, for kubectl as for the agent ([with a real Kyverno](performance-kyverno.md)).
        It writes an audit log, from which the requests are counted. It runs on the same machine: what it and etcd take has a column
        of its own, *cluster's CPU*, and is missing from the cores of whoever waits for it. So on two cores no wall time is less than
        half of both figures together, whoever the client is. etcd does not wait for the disk.
      - **The agent runs as in a pod**: as a ServiceAccount with no more rights than it needs, with the cluster's CA and a token
        from files, JSON logs, and the defaults for all settings. kubectl is the cluster's admin.
      - **The remote API is a stand-in** on the same machine, over TLS, without compression and without the distance of a real one. Where
        a row says so, it speaks HTTP/2, and each answer comes 100 ms later.
      - **The policies** are made of `examples/policies`: each different, 2 to 4 KB of YAML, of 20 there are 12 ClusterPolicies, 5
        ValidatingPolicies, 2 namespaced Policies and a ValidatingAdmissionPolicy.

      ## How to read it

      - *no-op*: the cluster is as the feed wants it, as in nearly every run. What it takes is mostly the start of Java and TLS,
        and from a thousand policies on also the feed's own size.
      - *compares everything*: the same where nothing is remembered of the run before (as after an upgrade of the agent): the feed is
        parsed, and each policy judged. The difference is what the remembered agreement of feed and cluster is worth.
      - *200m CPU and 256 MiB*: the no-op in a control group with the limits of the chart: 20 ms of CPU in each 100 ms. *Of the image*:
        the same program in the image's files, with its runtime and its class cache, started as a container runtime would.
      - *the API's CA among Java's own*: nothing is in `SSL_CERT_FILE`, as where the API's certificate is signed by an authority that
        everybody trusts. *Alone* leaves out Java's some 150 roots: the difference between the two is what these roots cost.
      - *first sync*: no policy and no Lease is there; each policy is applied and its status told to the API.
      - *the remote API over HTTP/2*: another stand-in, which takes more work for each answer, so that only these rows compare with each
        other. *100 ms away*: each of its answers comes that much later, the two with the feed and one for each status.
      - *kubectl*: it applies the same policies one after the other, lists nothing and tells nobody. Here, where no webhook judges them, a
        policy takes the API server a few milliseconds, and what counts is the client's own CPU: of Java, which is interpreted at first,
        for two looks at every kind, lint, the apply and the status. In a cluster with a Kyverno each policy takes longer than all of that,
        and four at a time are what counts ([with a real Kyverno](performance-kyverno.md)).
      - *dry run*: the same as a preview; the API server judges each policy and writes none.
      - *report*: all reports are read and folded, and what the API would be sent is written to a file. The stand-in for an API server
        writes 100,000 reports as it is asked for them, which no etcd of a test holds.
      - *requests* are those of the first of the n runs: verbs of the API server's audit log, `feed` and `status` for the remote API.
        A no-op may ask for the feed, discovery, and a list of each kind (by pages), may ask one thing more and write nothing;
        *met* says that it kept to that.

      With more policies: [as it grows](performance-growth.md).

      ## Measure a part

      ```sh
      make bench ONLY=noop-100,noop-5000 N=3       # these rows, three runs each; prints, and leaves this page alone
      POLICY_SYNC_JAVA_OPTIONS=-Xlog:startuptime:stderr make bench ONLY=noop-100 N=1
      ```

      `POLICY_SYNC_JAVA_OPTIONS` reaches the agent's JVM, so whatever finds out where time goes can be added there.
      """;
}
