package dev.policysync;

import dev.policysync.cli.Version;
import dev.policysync.http.Connections;
import dev.policysync.http.ProxyRules;
import dev.policysync.http.Trust;
import dev.policysync.insights.InsightsConnection;
import dev.policysync.insights.InsightsFeed;
import dev.policysync.insights.InsightsStatuses;
import dev.policysync.insights.PlainHttp;
import dev.policysync.policy.FilePolicySource;
import dev.policysync.policy.PolicySource;
import dev.policysync.settings.Api;
import dev.policysync.settings.Settings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.StopSign;
import java.util.Map;
import java.util.Optional;

/// Where the expected policies come from and who is told: the API, or files and nobody.
record Remote(PolicySource source, Optional<StatusSink> statuses, Optional<Connections> connections)
    implements AutoCloseable {

  /// @throws IllegalArgumentException if a setting turns out to be wrong, naming it
  static Remote of(Settings settings, Map<String, String> environment, StopSign stop, RunId run) {
    if (settings.api().isEmpty()) {
      var files = new FilePolicySource(settings.from().orElse("-"), () -> System.in);
      return new Remote(files, Optional.empty(), Optional.empty());
    }
    var api = connection(settings.api().get());
    var connections =
        api.open(Trust.fromEnvironment(environment), ProxyRules.fromEnvironment(environment))
            .identifying(run.text());
    return new Remote(
        new InsightsFeed(connections, api, Version.text(), stop::remaining),
        Optional.of(new InsightsStatuses(connections, api, Version.text(), stop::remaining)),
        Optional.of(connections));
  }

  /// Whether plain http is allowed was judged when the settings were read.
  private static InsightsConnection connection(Api api) {
    return InsightsConnection.of(
        api.host().toString(), PlainHttp.ALLOWED, api.organization(), api.cluster(), api.token());
  }

  /// Breaks off whatever is under way, and lets nothing more through.
  void cancel() {
    connections.ifPresent(Connections::cancel);
  }

  @Override
  public void close() {
    connections.ifPresent(Connections::close);
  }
}
