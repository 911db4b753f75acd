package dev.policysync.bench;

import dev.policysync.bench.AgentProcess.Trusting;
import dev.policysync.harness.ManyReports;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Reports to be folded: real ones in the API server, and far more by a stand-in.
final class Reports implements AutoCloseable {
  private static final int REAL = 10_000;
  private static final int STAND_INS = 100_000;
  private static final int RESULTS = 6;
  private static final int TO_A_NAMESPACE = 100;

  private final RawApi admin;
  private final Path folder;
  private boolean stored;
  private @Nullable ManyReports standIn;

  Reports(RawApi admin, Path folder) {
    this.admin = admin;
    this.folder = folder;
  }

  /// Puts the real ones in place, once.
  void store() throws IOException {
    if (stored) {
      return;
    }
    stored = true;
    try (var reports = new ManyReports(REAL, RESULTS);
        var threads = Executors.newFixedThreadPool(8)) {
      for (var i = 0; i < REAL / TO_A_NAMESPACE; i++) {
        var namespace = "{kind: Namespace, metadata: {name: team-" + i + "}}";
        admin.post("/api/v1/namespaces", Documents.yaml(namespace)).ok();
      }
      for (var i = 0; i < REAL; i++) {
        var path =
            "/apis/wgpolicyk8s.io/v1alpha2/namespaces/team-"
                + i / TO_A_NAMESPACE
                + "/policyreports";
        var report = reports.toCreate(i);
        threads.execute(() -> admin.post(path, Documents.json(report)).ok());
      }
    }
  }

  /// Folds them all, and writes what the API would be sent.
  ProcessBuilder onRealOnes(AgentProcess agent) throws IOException {
    Files.createDirectories(folder);
    return agent.process(
        Trusting.BUNDLE, "report", "--output-file=" + folder.resolve("kyverno.json"));
  }

  /// The same with those of the stand-in, which is there from then on.
  ProcessBuilder onAStandIns(AgentProcess agent) throws IOException {
    var account = folder.resolve("stand-in");
    var server = standIn;
    if (server == null) {
      server = new ManyReports(STAND_INS, RESULTS);
      server.writeServiceAccount(account);
      standIn = server;
    }
    var process = onRealOnes(agent);
    process.environment().putAll(server.environment());
    process
        .environment()
        .merge(
            AgentProcess.JAVA_OPTIONS,
            "-Dpolicysync.serviceaccount=" + account,
            (options, option) -> String.join(" ", List.of(options, option)));
    return process;
  }

  @Override
  public void close() {
    if (standIn != null) {
      standIn.close();
    }
  }
}
