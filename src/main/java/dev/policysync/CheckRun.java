package dev.policysync;

import dev.policysync.check.Answer;
import dev.policysync.check.ApiQuestions;
import dev.policysync.check.ApiQuestions.Route;
import dev.policysync.check.Checkup;
import dev.policysync.check.ClusterQuestions;
import dev.policysync.check.KyvernoQuestions;
import dev.policysync.check.PermissionQuestions;
import dev.policysync.check.PermissionQuestions.Removals;
import dev.policysync.check.ProcessQuestions;
import dev.policysync.check.Question;
import dev.policysync.check.SettingsAnswers;
import dev.policysync.cli.Version;
import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.ClusterProbe;
import dev.policysync.http.Connections;
import dev.policysync.http.ProxyRules;
import dev.policysync.insights.InsightsProbe;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.settings.Api;
import dev.policysync.settings.Settings;
import dev.policysync.settings.UsableSettings;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.StopSign;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Joins the adapters to the questions of one `check`, as far as the settings allow, and ends them
/// with it.
final class CheckRun {
  /// For every answer: a connection that is refused or silent is tried three times within 17 s.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final UsableSettings settings;
  private final Links links;
  private final StopSign stop;
  private final Map<String, String> environment;
  private final List<String> problems;

  /// @param environment the variables, where pinned settings have won
  CheckRun(UsableSettings settings, Links links, StopSign stop, Map<String, String> environment) {
    this.settings = settings;
    this.links = links;
    this.stop = stop;
    this.environment = environment;
    this.problems = new ArrayList<>(settings.problems());
  }

  /// Asks everything.
  void run(Consumer<Answer> told) {
    var api = settings.api().flatMap(Settings::api);
    var connections = api.flatMap(to -> had(() -> links.connections(to)));
    var cluster = settings.cluster().flatMap(by -> had(() -> links.cluster(by)));
    try {
      var questions = new ArrayList<Question>();
      questions.add(SettingsAnswers.question(problems, source()));
      questions.addAll(ProcessQuestions.here().all());
      questions.addAll(
          api.isPresent() && connections.isPresent()
              ? ofApi(api.get(), connections.get())
              : List.of(unasked("API", withoutApi())));
      questions.addAll(
          cluster
              .map(this::ofCluster)
              .orElseGet(
                  () -> List.of(unasked("API server", "not asked, because of the settings"))));
      new Checkup(questions, PATIENCE, stop::remaining).run(told);
    } finally {
      connections.ifPresent(Connections::close);
      cluster.ifPresent(ClusterConnection::close);
    }
  }

  /// What the settings ask for, unless it cannot be had.
  private <T> Optional<T> had(Supplier<T> what) {
    try {
      return Optional.of(what.get());
    } catch (WrongSettings e) {
      problems.addAll(e.problems());
      return Optional.empty();
    }
  }

  private String source() {
    return settings.whole().map(whole -> whole.from().orElse(whole.source().text())).orElse("");
  }

  private String withoutApi() {
    return settings
        .api()
        .flatMap(Settings::from)
        .map(from -> "not asked, because the policies come from " + from)
        .orElse("not asked, because of the settings");
  }

  private static Question unasked(String subject, String why) {
    return Question.of(subject, () -> List.of(Answer.unknown(subject, why)));
  }

  private List<Question> ofApi(Api api, Connections connections) {
    var clock = Clock.systemUTC();
    var probe = new InsightsProbe(connections, Links.insights(api), Version.text(), clock);
    return new ApiQuestions(
            route(api.host()), host -> List.of(InetAddress.getAllByName(host)), probe, clock)
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

  private List<Question> ofCluster(ClusterConnection connection) {
    var namespace = settings.cluster().flatMap(Settings::namespace).orElse(connection.namespace());
    var cluster = new ClusterProbe(connection, namespace, Clock.systemUTC());
    var removals =
        settings.whole().map(Settings::maxRemovals).filter(CheckRun::allowsNone).isPresent()
            ? Removals.SWITCHED_OFF
            : Removals.WANTED;
    var questions = new ArrayList<>(new ClusterQuestions(cluster).all());
    questions.addAll(new PermissionQuestions(cluster, namespace, removals).all());
    questions.addAll(new KyvernoQuestions(cluster).all());
    return questions;
  }

  private static boolean allowsNone(RemovalBudget budget) {
    return !budget.allows(1, Integer.MAX_VALUE);
  }
}
