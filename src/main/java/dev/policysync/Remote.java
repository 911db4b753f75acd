package dev.policysync;

import dev.policysync.cli.Version;
import dev.policysync.http.Connections;
import dev.policysync.insights.InsightsFeed;
import dev.policysync.insights.InsightsStatuses;
import dev.policysync.policy.FilePolicySource;
import dev.policysync.policy.PolicySource;
import dev.policysync.settings.Settings;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.StopSign;
import java.util.Optional;

/// Where the expected policies come from and who is told: the API, or files and nobody.
record Remote(PolicySource source, Optional<StatusSink> statuses, Optional<Connections> connections)
    implements AutoCloseable {

  static Remote of(Settings settings, Links links, StopSign stop) {
    if (settings.api().isEmpty()) {
      var files = new FilePolicySource(settings.from().orElse("-"), () -> System.in);
      return new Remote(files, Optional.empty(), Optional.empty());
    }
    var api = Links.insights(settings.api().get());
    var connections = links.connections(settings.api().get());
    return new Remote(
        new InsightsFeed(connections, api, Version.text(), stop::remaining),
        Optional.of(new InsightsStatuses(connections, api, Version.text(), stop::remaining)),
        Optional.of(connections));
  }

  @Override
  public void close() {
    connections.ifPresent(Connections::close);
  }
}
