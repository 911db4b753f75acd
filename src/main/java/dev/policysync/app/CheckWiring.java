package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.CheckCommand;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.cli.settings.ApiSettings;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.PartialSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.inspect.ApiChecks;
import dev.policysync.inspect.ApiChecks.Route;
import dev.policysync.inspect.Check;
import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckRunner;
import dev.policysync.inspect.ClusterChecks;
import dev.policysync.inspect.FeedChecks;
import dev.policysync.inspect.KyvernoChecks;
import dev.policysync.inspect.PermissionChecks;
import dev.policysync.inspect.PermissionChecks.Removals;
import dev.policysync.inspect.ProcessChecks;
import dev.policysync.inspect.SettingsChecks;
import dev.policysync.inspect.WebhookChecks;
import dev.policysync.plan.Failure;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.FeedReader;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.policy.ClusterFullPolicies;
import dev.policysync.remote.cluster.probe.ClusterProbe;
import dev.policysync.remote.cluster.probe.PermissionProbe;
import dev.policysync.remote.cluster.probe.WebhookProbe;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.insights.InsightsProbe;
import dev.policysync.sync.execution.Cancellation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Wires the checks of one `check` run to their adapters, as far as the settings allow, and closes
/// the connections at the end.
final class CheckWiring {
  /// The time limit of the checks, which run at the same time. A connection that is refused or does
  /// not respond is tried three times within 17 s.
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(20);

  /// The time limit of the whole run if the settings contain no valid one.
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final PartialSettings settings;
  private final ConnectionFactory connectionFactory;
  private final Cancellation stop;
  private final Map<String, String> environment;
  private final List<String> problems;

  /// @param environment the environment variables, overridden by the pinned settings
  CheckWiring(
      PartialSettings settings,
      ConnectionFactory connectionFactory,
      Cancellation stop,
      Map<String, String> environment) {
    this.settings = settings;
    this.connectionFactory = connectionFactory;
    this.stop = stop;
    this.environment = environment;
    this.problems = new ArrayList<>(settings.problems());
  }

  /// Starts `check`. Invalid settings skip only the checks that need them. stdout carries only the
  /// results.
  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command = CheckCommand.on(launcher.invocation(), process.noColour(), process.out());
    return launcher.run(
        command,
        pinned -> {
          var settings = launcher.read(PartialSettings::read, pinned);
          return new Start(
              settings.whole().flatMap(it -> it.output().logLevel()),
              OutputFormat.TEXT,
              settings.whole().map(it -> it.limits().timeout()).orElse(TIMEOUT),
              run ->
                  command.run(
                      new CheckWiring(
                              settings, run.connectionFactory(), run.stop(), run.environment())
                          ::run,
                      () -> run.stop().over().orElse("")));
        });
  }

  /// Runs all checks, passes each result to `results` in the order of the checks, and closes the
  /// connections.
  void run(Consumer<CheckResult> results) {
    var api = settings.api().flatMap(Settings::api);
    var connections = api.flatMap(to -> tryConnect(() -> connectionFactory.connections(to)));
    var cluster = settings.cluster().flatMap(by -> tryConnect(() -> connectionFactory.cluster(by)));
    try {
      var checks = new ArrayList<Check>();
      checks.add(SettingsChecks.question(problems, source()));
      checks.addAll(ProcessChecks.here().all());
      checks.addAll(
          api.isPresent() && connections.isPresent()
              ? apiChecks(api.get(), connections.get())
              : List.of(skipped("API", reasonWithoutApi())));
      checks.addAll(
          cluster
              .map(this::clusterChecks)
              .orElseGet(
                  () -> List.of(skipped("API server", "skipped because of invalid settings"))));
      new CheckRunner(checks, CHECK_TIMEOUT, stop::remaining).run(results);
    } finally {
      connections.ifPresent(Connections::close);
      cluster.ifPresent(ClusterConnection::close);
    }
  }

  /// Returns the result of `what`. If the settings do not permit it, returns empty and records
  /// their problems.
  private <T> Optional<T> tryConnect(Supplier<T> what) {
    try {
      return Optional.of(what.get());
    } catch (InvalidSettings e) {
      problems.addAll(e.problems());
      return Optional.empty();
    }
  }

  private String source() {
    return settings.whole().map(whole -> whole.from().orElse(whole.source().text())).orElse("");
  }

  private String reasonWithoutApi() {
    return settings
        .api()
        .flatMap(Settings::from)
        .map(from -> "skipped because the policies come from " + from)
        .orElse("skipped because of invalid settings");
  }

  private static Check skipped(String subject, String why) {
    return Check.of(subject, () -> List.of(CheckResult.unknown(subject, why)));
  }

  private List<Check> apiChecks(ApiSettings apiSettings, Connections connections) {
    var clock = Clock.systemUTC();
    var probe =
        new InsightsProbe(
            connections, ConnectionFactory.insights(apiSettings), ProgramVersion.text(), clock);
    return new ApiChecks(
            route(apiSettings.host()),
            host -> List.of(InetAddress.getAllByName(host)),
            probe,
            clock)
        .all();
  }

  private Route route(URI host) {
    var proxy =
        ProxyRules.fromEnvironment(environment).select(host).stream()
            .map(chosen -> chosen.address())
            .filter(InetSocketAddress.class::isInstance)
            .map(InetSocketAddress.class::cast)
            .findFirst()
            .map(address -> new Route.Proxy(address.getHostString(), address.getPort()));
    return new Route(host.getHost(), proxy);
  }

  private List<Check> clusterChecks(ClusterConnection connection) {
    var agent = ConnectionFactory.agentNamespace(settings.cluster().orElseThrow(), connection);
    var namespace = agent.name();
    var excluded =
        settings.whole().map(it -> it.guards().excludedKinds()).orElse(Set.<PolicyKind>of());
    var clock = Clock.systemUTC();
    var cluster = new ClusterProbe(connection, namespace, clock);
    var removals =
        settings
                .whole()
                .map(it -> it.guards().maxRemovals())
                .filter(CheckWiring::allowsNone)
                .isPresent()
            ? Removals.SWITCHED_OFF
            : Removals.WANTED;
    var checks = new ArrayList<>(new ClusterChecks(cluster).all());
    checks.add(
        ClusterChecks.namespace(agent.text(), agent.objection().map(Failure::reason).orElse("")));
    checks.addAll(
        new PermissionChecks(
                cluster, new PermissionProbe(connection), namespace, removals, excluded)
            .all());
    settings
        .whole()
        .ifPresent(whole ->
            checks.addAll(
                new FeedChecks(
                        () -> expected(whole, agent.certain()), whole.api().isPresent(), cluster)
                    .all()));
    checks.addAll(new KyvernoChecks(cluster).all());
    checks.addAll(
        new WebhookChecks(
                cluster,
                new WebhookProbe(connection, clock),
                new ClusterFullPolicies(connection),
                excluded)
            .all());
    return checks;
  }

  private ExpectedPolicies expected(Settings whole, Optional<String> namespace) {
    try (var policyEndpoints = PolicyEndpoints.of(whole, connectionFactory, stop)) {
      return new FeedReader(namespace).read(policyEndpoints.source().feed());
    }
  }

  private static boolean allowsNone(RemovalBudget budget) {
    return !budget.allows(1, Integer.MAX_VALUE);
  }
}
