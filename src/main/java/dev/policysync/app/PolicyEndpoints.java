package dev.policysync.app;

import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.settings.Settings;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.insights.InsightsFeed;
import dev.policysync.remote.insights.InsightsStatuses;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.execution.Cancellation;
import java.util.Optional;

/// The source of the expected policies, and the receiver of their statuses: the API for both, or
/// files and no receiver.
record PolicyEndpoints(
    PolicySource source, Optional<StatusSink> statuses, Optional<Connections> connections)
    implements AutoCloseable {

  static PolicyEndpoints of(
      Settings settings, ConnectionFactory connectionFactory, Cancellation stop) {
    if (settings.api().isEmpty()) {
      var files = new FilePolicySource(settings.from().orElse("-"), () -> System.in);
      return new PolicyEndpoints(files, Optional.empty(), Optional.empty());
    }
    var api = ConnectionFactory.insights(settings.api().get());
    var connections = connectionFactory.connections(settings.api().get());
    return new PolicyEndpoints(
        new InsightsFeed(connections, api, ProgramVersion.text(), stop::remaining),
        Optional.of(new InsightsStatuses(connections, api, ProgramVersion.text(), stop::remaining)),
        Optional.of(connections));
  }

  @Override
  public void close() {
    connections.ifPresent(Connections::close);
  }
}
