package dev.policysync.policy.feed;

import static dev.policysync.policy.PolicyKind.CLUSTER_POLICY;
import static dev.policysync.policy.PolicyKind.NAMESPACED_POLICY;
import static dev.policysync.policy.PolicyKind.VALIDATING_POLICY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.HeapBudget;
import dev.policysync.base.yaml.Location;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A feed as a whole: which policies it wants, and when it cannot be trusted.
class PolicyReaderTest {
  private static final String FIRST =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: first}
      spec: {background: true}
      """;

  private static final HeapBudget HEAP = new HeapBudget(128 << 20);

  @Test
  void readsPoliciesInTheOrderOfTheFeed() {
    var expectedPolicies =
        read(
            FIRST
                + """
                ---
                apiVersion: kyverno.io/v2beta1
                kind: Policy
                metadata: {name: second, namespace: shop}
                spec: {rules: []}
                """);

    assertThat(expectedPolicies.policies())
        .extracting(Policy::id)
        .containsExactly(
            PolicyId.of(CLUSTER_POLICY, "first"), PolicyId.of(NAMESPACED_POLICY, "shop", "second"));
    assertThat(expectedPolicies.policies())
        .extracting(Policy::position)
        .containsExactly(new Position("feed", 1, 1, 1), new Position("feed", 2, 6, 1));
    assertThat(expectedPolicies.complete()).isTrue();
  }

  @Test
  void readsJsonToo() {
    var expectedPolicies =
        read(
            """
            {
            \t"apiVersion": "kyverno.io/v1",
            \t"kind": "ClusterPolicy",
            \t"metadata": {"name": "first"},
            \t"spec": {"note": "a/b \\ud83d\\ude00"}
            }
            """);

    assertThat(expectedPolicies.policies())
        .extracting(policy -> CanonicalJson.write(policy.content()))
        .containsExactly(
            "{\"apiVersion\":\"kyverno.io/v1\",\"kind\":\"ClusterPolicy\","
                + "\"metadata\":{\"name\":\"first\"},\"spec\":{\"note\":\"a/b 😀\"}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "  \n", "---\n", "# nothing\n", "{}", "null\n", "---\n{}\n---\n# x\n"})
  void emptyFeedWantsNoPolicies(String feed) {
    var expectedPolicies = read(feed);

    assertThat(expectedPolicies.policies()).isEmpty();
    assertThat(expectedPolicies.complete()).isTrue();
  }

  @Test
  void emptyListWantsNoPolicies() {
    var expectedPolicies = read("apiVersion: v1\nkind: List\nitems: []\n");

    assertThat(expectedPolicies.policies()).isEmpty();
    assertThat(expectedPolicies.complete()).isTrue();
  }

  @Test
  void refusesWhatIsNoFeedOfPolicies() {
    assertThatThrownBy(() -> read("<!DOCTYPE html>\n<html>\n<body>: sign in</body>\n</html>\n"))
        .isInstanceOf(FeedProblem.class)
        .hasMessage(
            "no document of feed has an apiVersion and a kind, so nothing is changed; check the"
                + " source. First problem: feed, document 1, line 3, column 7: unexpected ': ';"
                + " quote text that contains it, or check the indentation");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\": \"SECRET\", \"code\": 500}",
        "SECRET: Internal Server Error",
        "SECRET",
        "[]",
        "[SECRET]",
        "502",
        "<html><head><title>SECRET</title></head></html>",
        "<p>SECRET: @",
        "apiVersion: v1\nitems: [SECRET]",
        "kind: ClusterPolicy\nmetadata: {name: SECRET}",
        "a: 1\n---\nb: SECRET\n---\n{}\n",
        "apiVersion: 1\nkind: SECRET",
        "\u0000SECRET"
      })
  void neverQuotesWhatItRefuses(String feed) {
    assertThatThrownBy(() -> read(feed))
        .isInstanceOfSatisfying(
            FeedProblem.class, problem -> assertThat(problem.retryable()).isFalse())
        .hasMessageStartingWith("no document of feed has an apiVersion and a kind")
        .message()
        .doesNotContain("SECRET");
  }

  @Test
  void oneBadDocumentLeavesTheOthers() {
    var expectedPolicies =
        read(
            FIRST
                + """
                ---
                apiVersion: kyverno.io/v1
                kind: ClusterPolicy
                metadata:
                  name: second
                spec:
                  rules: [
                ---
                just text
                ---
                apiVersion: kyverno.io/v1
                kind: ClusterPolicy
                metadata: {name: third}
                spec: {}
                """);

    assertThat(expectedPolicies.policies())
        .extracting(policy -> policy.id().name())
        .containsExactly("first", "third");
    assertThat(expectedPolicies.unreadable())
        .containsExactly(
            new UnreadableDocument(
                Optional.of(PolicyId.of(CLUSTER_POLICY, "second")),
                Optional.of("second"),
                List.of(new Position("feed", 2, 12, 1)),
                "an unclosed bracket or brace, or a missing comma"),
            new UnreadableDocument(
                Optional.empty(),
                Optional.empty(),
                List.of(new Position("feed", 3, 13, 1)),
                "not a mapping of fields"));
  }

  @Test
  void sameNameInTwoKindsAndNamespacesIsThreePolicies() {
    var expectedPolicies =
        read(
            FIRST
                + """
                ---
                apiVersion: policies.kyverno.io/v1
                kind: ValidatingPolicy
                metadata: {name: first}
                spec: {}
                ---
                apiVersion: kyverno.io/v1
                kind: Policy
                metadata: {name: first, namespace: shop}
                spec: {}
                """);

    assertThat(expectedPolicies.policies())
        .extracting(Policy::id)
        .containsExactly(
            PolicyId.of(CLUSTER_POLICY, "first"),
            PolicyId.of(VALIDATING_POLICY, "first"),
            PolicyId.of(NAMESPACED_POLICY, "shop", "first"));
  }

  @Test
  void aNamespacedPolicyWithoutNamespaceIsInTheDefaultOne() {
    var nameless = "apiVersion: kyverno.io/v1\nkind: Policy\nmetadata: {name: first}\nspec: {}\n";

    var read =
        PolicyReader.read(
            List.of(
                manifest("a.yaml", FIRST),
                manifest("b.yaml", nameless),
                manifest(
                    "c.yaml", nameless.replace("name: first", "name: second, namespace: shop"))),
            "agent");

    var inDefault = PolicyId.of(NAMESPACED_POLICY, "agent", "first");
    assertThat(read.inDefaultNamespace()).containsExactly(inDefault);
    assertThat(read.policies())
        .extracting(Policy::id)
        .containsExactly(
            PolicyId.of(CLUSTER_POLICY, "first"),
            inDefault,
            PolicyId.of(NAMESPACED_POLICY, "shop", "second"));
    assertThat(read.policies().get(1).content().mapping("metadata").text("namespace"))
        .contains("agent");
    assertThat(read(nameless).unreadable())
        .singleElement()
        .extracting(UnreadableDocument::reason)
        .isEqualTo("metadata.namespace is missing");
  }

  @Test
  void oneWithTheDefaultNamespaceAndOneWithoutAnyAreTheSamePolicy() {
    var nameless = "apiVersion: kyverno.io/v1\nkind: Policy\nmetadata: {name: first}\nspec: {}\n";
    var named = nameless.replace("name: first", "name: first, namespace: agent");

    var read =
        PolicyReader.read(
            List.of(manifest("a.yaml", nameless), manifest("b.yaml", named)), "agent");

    assertThat(read.policies()).isEmpty();
    assertThat(read.inDefaultNamespace()).isEmpty();
    assertThat(read.unreadable())
        .singleElement()
        .extracting(UnreadableDocument::reason)
        .isEqualTo("2 documents define this policy; keep one");
  }

  @Test
  void twoDocumentsOfOneIdentityAreBothRefused() {
    var elsewhere = FIRST.replace("kyverno.io/v1", "kyverno.io/v2beta1");

    var expectedPolicies =
        PolicyReader.read(
            List.of(manifest("a.yaml", FIRST), manifest("b.yaml", "# b\n" + elsewhere)));

    assertThat(expectedPolicies.policies()).isEmpty();
    assertThat(expectedPolicies.unreadable())
        .containsExactly(
            new UnreadableDocument(
                Optional.of(PolicyId.of(CLUSTER_POLICY, "first")),
                Optional.of("first"),
                List.of(new Position("a.yaml", 1, 1, 1), new Position("b.yaml", 1, 2, 1)),
                "2 documents define this policy; keep one"));
  }

  @Test
  void soundDocumentIsRefusedBesideABrokenOneOfItsIdentity() {
    var expectedPolicies = read(FIRST + "---\n" + FIRST.replace("{background: true}", "[]"));

    assertThat(expectedPolicies.policies()).isEmpty();
    assertThat(expectedPolicies.unreadable())
        .extracting(UnreadableDocument::reason)
        .containsExactly("spec is not a mapping", "2 documents define this policy; keep one");
  }

  @Test
  void unwrapsLists() {
    var expectedPolicies =
        read(
            """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: kyverno.io/v1
              kind: ClusterPolicy
              metadata: {name: first}
              spec: {}
            - apiVersion: kyverno.io/v1
              kind: ClusterPolicyList
              items:
              - metadata: {name: second}
                spec: {}
              - metadata: {name: 3}
                spec: {}
            - text
            ---
            apiVersion: v1
            kind: List
            """);

    assertThat(expectedPolicies.policies())
        .extracting(policy -> policy.id() + " at " + policy.position())
        .containsExactly(
            "ClusterPolicy/first at feed, document 1, line 4, column 3",
            "ClusterPolicy/second at feed, document 1, line 11, column 5");
    assertThat(expectedPolicies.unreadable())
        .extracting(problem -> problem.positions().getFirst() + ": " + problem.reason())
        .containsExactly(
            "feed, document 1, line 13, column 22: metadata.name is not a string; quote it",
            "feed, document 1, line 15, column 3: a list item is not a mapping",
            "feed, document 2, line 17, column 1: List (v1) has no items");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "continue: abc",
        "remainingItemCount: 1",
        "continue: '', remainingItemCount: 20",
        "continue: 7"
      })
  void refusesAListOfWhichThereIsMore(String metadata) {
    var list =
        "kind: ClusterPolicyList\napiVersion: kyverno.io/v1\nmetadata: {" + metadata + "}\nitems: ";
    var item = "[{metadata: {name: second}, spec: {}}]\n";
    var problem =
        "the list is one page of a longer list (metadata.continue or metadata.remainingItemCount"
            + " is set); nothing is changed, because policies on other pages would be removed;"
            + " provide all pages, e.g. with kubectl get -o yaml or a URL without limit=";

    assertThatThrownBy(() -> read(FIRST + "---\n" + list + item))
        .isInstanceOf(FeedProblem.class)
        .hasMessage("feed, document 2, line 6, column 1: " + problem);
    assertThatThrownBy(() -> read(list + "[]\n"))
        .isInstanceOf(FeedProblem.class)
        .hasMessage("feed, document 1, line 1, column 1: " + problem);
    assertThatThrownBy(
            () -> read("kind: List\napiVersion: v1\nitems:\n-\n" + list.indent(2) + "   []"))
        .isInstanceOf(FeedProblem.class)
        .hasMessage("feed, document 1, line 5, column 3: " + problem);
  }

  @Test
  void takesAListThatSaysItIsComplete() {
    var list =
        """
        kind: ClusterPolicyList
        apiVersion: kyverno.io/v1
        metadata: {continue: "", remainingItemCount: 0, resourceVersion: "5"}
        items: [{metadata: {name: first}, spec: {}}]
        """;

    assertThat(read(list).complete()).isTrue();
    assertThat(read(list.replace("\"\", remainingItemCount: 0", "null")).complete()).isTrue();
  }

  @Test
  void judgesTheItemsOfAListOfWhichThereIsMore() {
    var list =
        """
        kind: ClusterPolicyList
        apiVersion: kyverno.io/v1
        metadata: {continue: abc}
        items: [{metadata: {name: first}, spec: {}}]
        """;

    var locatedPolicies = PolicyReader.readLocated(List.of(manifest("feed", list)));

    assertThat(locatedPolicies.policies())
        .extracting(policy -> policy.id().name())
        .containsExactly("first");
    assertThat(locatedPolicies.unreadable())
        .extracting(UnreadableDocument::reason)
        .singleElement()
        .asString()
        .startsWith("the list is one page of a longer list (metadata.continue or");
  }

  @Test
  void digestIsOfTheBytesWhateverTheyAreCalled() {
    var digest = Feed.of(List.of(manifest("a", FIRST))).digest();

    assertThat(Feed.of(List.of(manifest("b", FIRST))).digest()).isEqualTo(digest);
    assertThat(Feed.of(List.of(manifest("a", FIRST + "\n"))).digest()).isNotEqualTo(digest);
    assertThat(Feed.of(List.of(manifest("a", FIRST), manifest("b", ""))).digest())
        .isNotEqualTo(Feed.of(List.of(manifest("a", ""), manifest("b", FIRST))).digest());
  }

  @Test
  void readsAThousandPolicies() {
    var feed = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      feed.append(FIRST.replace("first", "policy-" + i)).append("---\n");
    }

    var expectedPolicies = read(feed.toString());

    assertThat(expectedPolicies.policies()).hasSize(1_000);
    assertThat(expectedPolicies.complete()).isTrue();
  }

  /// One that is too large to be kept as it was parsed.
  @Test
  void readsTheSameOfALargeFeed() {
    var feed = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      feed.append(large(i)).append("---\n");
    }

    var policies = read(feed.toString()).policies();

    assertThat(policies).hasSize(300);
    for (int i = 299; i >= 0; i--) {
      assertThat(policies.get(i).content())
          .isEqualTo(read(large(i)).policies().getFirst().content());
    }
  }

  private static String large(int number) {
    return FIRST
        .replace("first", "first-" + number)
        .replace("{background: true}", "{background: true, é: " + "é".repeat(2_000) + "}");
  }

  @Test
  void refusesAFeedThatAliasesMakeTooMuch() {
    var document =
        FIRST.replace(
            "{background: true}",
            "{x: &x " + "y".repeat(1_000) + ", z: [" + "*x, ".repeat(100) + "]}");
    var feed = List.of(manifest("feed", document + "---\n" + document.replace("first", "second")));

    assertThat(PolicyReader.read(feed, new FeedLimit(300_000, HEAP)).policies()).hasSize(2);
    assertThatThrownBy(() -> PolicyReader.read(feed, new FeedLimit(200_000, HEAP)))
        .isInstanceOf(FeedProblem.class)
        .hasMessage(
            "feed, document 2, line 6, column 1: with aliases (*) expanded, the feed exceeds"
                + " the limit of 200000 bytes for a heap of 128.0 MiB; increase the heap with"
                + " POLICY_SYNC_JAVA_OPTIONS=-Xmx256m (chart: javaOptions, with a"
                + " matching memory limit)");
  }

  @Test
  void readsAListTooLongForSnakeYamlsOwnLimit() {
    var feed = new StringBuilder("apiVersion: v1\nkind: List\nitems:\n");
    var names = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      names.add("policy-" + i);
      feed.append(FIRST.replace("first", "policy-" + i).indent(2).replaceFirst(" ", "-"));
      feed.append("  x: ").append("long ".repeat(20_000)).append("\n");
    }

    var expectedPolicies = read(feed.toString());

    assertThat(feed).hasSizeGreaterThan(3 << 20);
    assertThat(expectedPolicies.policies())
        .extracting(policy -> policy.id().name())
        .isEqualTo(names);
  }

  @Test
  void locatesTheExpectedPoliciesOneByOne() {
    var feed =
        """
        kind: ClusterPolicyList
        apiVersion: kyverno.io/v1
        items: [{metadata: {name: listed}, spec: {}}, not a policy]
        ---
        - not a policy
        ---
        kind: ClusterPolicy
        apiVersion: kyverno.io/v1
        metadata: {name: other}
        spec: {}
        ---
        broken: [
        ---
        """
            + FIRST;
    var expected =
        Set.of(PolicyId.of(CLUSTER_POLICY, "first"), PolicyId.of(CLUSTER_POLICY, "listed"));
    var located = new ArrayList<LocatedPolicy>();

    LocatedPolicy.forEach(List.of(manifest("feed", feed)), expected, located::add);

    assertThat(located)
        .extracting(LocatedPolicy::id)
        .containsExactly(
            PolicyId.of(CLUSTER_POLICY, "listed"), PolicyId.of(CLUSTER_POLICY, "first"));
    assertThat(located)
        .extracting(LocatedPolicy::position)
        .containsExactly(new Position("feed", 1, 3, 9), new Position("feed", 5, 14, 1));
    assertThat(located.getLast().nodeLocations().ofName(located.getLast().content(), "spec"))
        .contains(new Location(17, 1));
  }

  private static ExpectedPolicies read(String feed) {
    return PolicyReader.read(List.of(manifest("feed", feed)));
  }

  private static Manifest manifest(String name, String text) {
    return new Manifest(name, text.getBytes(UTF_8));
  }
}
