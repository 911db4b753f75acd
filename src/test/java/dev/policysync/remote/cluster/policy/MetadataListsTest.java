package dev.policysync.remote.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.FakeTimeBudget;
import dev.policysync.remote.cluster.KubeApi;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A list that breaks off is never taken for a short one: what it lacks would be removed, or
/// created anew.
class MetadataListsTest {
  private static final PolicyKind KIND = PolicyKind.CLUSTER_POLICY;
  private static final String PAGE = page("", "a", "b");

  private final ArrayDeque<Response.Builder> answers = new ArrayDeque<>();
  private final List<HttpUrl> asked = new ArrayList<>();

  @Test
  void isWholeWhereItsLastPageSaysSo() {
    answer(200, page("more", "a", "b"));
    answer(200, page("", "c"));

    assertThat(names()).containsExactly("a", "b", "c");
    assertThat(asked)
        .extracting(url -> url.queryParameter("continue"))
        .containsExactly(null, "more");
  }

  @Test
  void isUnlistableWhereverItsTextBreaksOff() {
    for (int end = 0; end < PAGE.length(); end++) {
      answer(200, PAGE.substring(0, end));

      assertThat(list()).as(PAGE.substring(0, end)).isInstanceOf(Listing.Unlistable.class);
    }
  }

  @Test
  void isUnlistableWhereverTheTextOfALaterPageBreaksOff() {
    for (int end = 0; end < PAGE.length(); end++) {
      answer(200, page("more", "c"));
      answer(200, PAGE.substring(0, end));

      assertThat(list()).as(PAGE.substring(0, end)).isInstanceOf(Listing.Unlistable.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"metadata\": {}}",
        "{\"metadata\": {\"continue\": \"more\"}}",
        "{}",
        "[]",
        "null",
        "{\"items\": [}",
        "{\"items\": 7}",
        "{\"items\": {}}",
        "{\"items\": [7]}",
        "{\"items\": [null]}",
        "{\"items\": [{\"metadata\": {]}}",
        "<html></html>",
      })
  void isUnlistableWhereItHasNoItemsOrIsNoList(String body) {
    answer(200, body);

    assertThat(list()).isInstanceOf(Listing.Unlistable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"items\": []}", "{\"items\": null, \"metadata\": {}}"})
  void isEmptyWhereItSaysSo(String body) {
    answer(200, body);

    assertThat(list()).isEqualTo(new Listing.Listed("v1", List.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404})
  void isUnlistableWhereALaterPageIsRefused(int status) {
    answer(200, page("more", "a"));
    answer(status, "{\"kind\": \"Status\", \"message\": \"no\"}");

    assertThat(list()).isInstanceOf(Listing.Unlistable.class);
    assertThat(asked).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503})
  void isUnlistableWhereALaterPageFailsAgainAndAgain(int status) {
    answer(200, page("more", "a"));
    for (int i = 0; i < 3; i++) {
      answer(status, "{\"kind\": \"Status\", \"message\": \"no\"}");
    }

    assertThat(list()).isInstanceOf(Listing.Unlistable.class);
    assertThat(answers).isEmpty();
  }

  @Test
  void readsAPageAnewThatFailedAndCountsNoPolicyTwice() {
    answer(200, page("more", "a"));
    answer(500, "{\"message\": \"etcdserver: leader changed\"}");
    answer(200, page("", "b", "c"));

    assertThat(names()).containsExactly("a", "b", "c");
  }

  @Test
  void beginsAnewWhereThePageHasExpired() {
    answer(200, page("more", "a"));
    answer(410, "{}");
    answer(200, page("", "a", "b"));

    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void isUnlistableWhereThePageExpiresAgain() {
    for (int i = 0; i < 2; i++) {
      answer(200, page("more", "a"));
      answer(410, "{\"message\": \"too old\"}");
    }

    assertThat(list())
        .isInstanceOfSatisfying(
            Listing.Unlistable.class,
            unlistable -> {
              assertThat(unlistable.failure().reason())
                  .isEqualTo(
                      "list ClusterPolicy.kyverno.io: HTTP 410, too old; the list expired twice"
                          + " before its last page, so the API server or its etcd is overloaded");
              assertThat(unlistable.failure().retryable()).isTrue();
            });
  }

  @Test
  void readsFromATableWhetherPoliciesAreReady() {
    answer(
        200,
        table(
            row("ready", "true", "\"True\""),
            row("unready", "true", "\"False\""),
            row("silent", "true", "null"),
            row("background", "false", "\"False\"")));

    assertThat(listed())
        .extracting(policy -> policy.id().name(), policy -> policy.liveStatus().readiness())
        .containsExactly(
            tuple("ready", Readiness.READY),
            tuple("unready", Readiness.NOT_READY),
            tuple("silent", Readiness.UNREPORTED),
            tuple("background", Readiness.UNKNOWN));
    assertThat(listed()).isEmpty();
  }

  @Test
  void isUnlistableWhereARowHasNoObject() {
    answer(200, table("{\"cells\": [\"a\", true, \"True\"]}"));

    assertThat(list()).isInstanceOf(Listing.Unlistable.class);
  }

  @Test
  void isUnlistableWhereverATableBreaksOff() {
    var whole = table(row("a", "true", "\"True\""), row("b", "true", "\"True\""));
    for (int end = 0; end < whole.length(); end++) {
      answer(200, whole.substring(0, end));

      assertThat(list()).as(whole.substring(0, end)).isInstanceOf(Listing.Unlistable.class);
    }
  }

  private static String table(String... rows) {
    return "{\"kind\": \"Table\", \"metadata\": {}, \"columnDefinitions\": ["
        + "{\"name\": \"Name\"}, {\"name\": \"ADMISSION\"}, {\"name\": \"READY\"}], \"rows\": ["
        + String.join(", ", rows)
        + "]}";
  }

  private static String row(String name, String admission, String ready) {
    return "{\"cells\": [\"%s\", %s, %s], \"object\": {\"metadata\": {\"name\": \"%s\", \"uid\": \"1\"}}}"
        .formatted(name, admission, ready, name);
  }

  private List<LivePolicy> listed() {
    return !answers.isEmpty() && list() instanceof Listing.Listed(_, var policies)
        ? policies
        : List.of();
  }

  @Test
  void saysThatTheListEndedTooSoon() {
    answer(200, PAGE.substring(0, PAGE.length() - 30));

    assertThat(list())
        .isInstanceOfSatisfying(
            Listing.Unlistable.class,
            unlistable -> {
              assertThat(unlistable.failure().cause()).isEqualTo(Failure.Cause.UNREACHABLE);
              assertThat(unlistable.failure().retryable()).isTrue();
            });
  }

  private static String page(String next, String... names) {
    var items = new ArrayList<String>();
    for (var name : names) {
      items.add("{\"metadata\": {\"name\": \"%s\", \"uid\": \"1\"}}".formatted(name));
    }
    return "{\"kind\": \"PartialObjectMetadataList\", \"metadata\": {\"continue\": \"%s\"}, \"items\": [%s]}"
        .formatted(next, String.join(", ", items));
  }

  private List<String> names() {
    return list() instanceof Listing.Listed(_, var policies)
        ? policies.stream().map(policy -> policy.id().name()).toList()
        : List.of("not listed");
  }

  private void answer(int status, String body) {
    answers.add(
        new Response.Builder()
            .protocol(Protocol.HTTP_2)
            .code(status)
            .message("")
            .header("Content-Type", "application/json")
            .body(ResponseBody.create(body, MediaType.get("application/json"))));
  }

  private Listing list() {
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain -> {
              asked.add(chain.request().url());
              return answers.remove().request(chain.request()).build();
            })
            .build();
    var server = HttpUrl.get("https://api.example/");
    var connection = new ClusterConnection(server, http, "default", () -> {});
    var api = new KubeApi(connection.withTimeBudget(FakeTimeBudget.pausing(Duration.ZERO)));
    return new MetadataLists(api).list(KIND, "v1");
  }
}
