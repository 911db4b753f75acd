package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.verification.Verification.Proof;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FeedProblem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What `convert` prints where, and its exit code.
class ConvertCommandTest {
  private static final String GOOD =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: good
      spec:
        rules:
          - name: replicas
            match:
              any:
                - resources:
                    kinds: [Deployment]
            validate:
              message: Two replicas.
              pattern:
                spec:
                  replicas: 2
      """;
  private static final String REFUSED =
      GOOD.replace("name: good", "name: refused").replace("replicas: 2", "replicas: \"{{ n }}\"");
  private static final String OTHER =
      """
      apiVersion: policies.kyverno.io/v1
      kind: ValidatingPolicy
      metadata:
        name: other
      spec:
        validations: []
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void printsSuccessorsInTheOrderOfTheInput() {
    var exitCode = convert(GOOD + "---\n" + GOOD.replace("name: good", "name: better"));

    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8)).startsWith("---\napiVersion: policies.kyverno.io/v1\n");
    assertThat(out.toString(UTF_8).lines().filter(line -> line.startsWith("  name: ")))
        .containsExactly("  name: good", "  name: better");
    assertThat(err.toString(UTF_8)).isEqualTo("2 of 2 policies of kyverno.io converted\n");
  }

  @Test
  void saysWhyAPolicyIsRefusedAndConvertsTheOthers() {
    var exitCode = convert(REFUSED + "---\n" + GOOD + "---\n" + OTHER);

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8)).contains("name: good").doesNotContain("refused", "other");
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            """
            policies.yaml:16:23: ClusterPolicy/refused, rule replicas: a variable or reference in \
            a pattern cannot be converted: compare with the value itself in CEL, e.g. \
            object.metadata.name
            1 of 2 policies of kyverno.io converted, 1 of other kinds left out
            """);
  }

  @Test
  void jsonHasBoth() throws IOException {
    var exitCode = convert(REFUSED + "---\n" + GOOD, "-o", "json");

    var json = (Value.Mapping) Json.parse(out.toString(UTF_8).strip());
    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(Json.write(json.without("policies")))
        .isEqualTo("{\"converted\":1,\"refused\":1,\"others\":0}");
    var refused = json.mappings("policies").getFirst();
    assertThat(refused.mappings("refusals").getFirst().text("rule")).contains("replicas");
    assertThat(refused.items("successors")).isEmpty();
    var converted = json.mappings("policies").getLast();
    assertThat(converted.mappings("successors").getFirst().mapping("manifest").text("kind"))
        .contains("ValidatingPolicy");
  }

  @Test
  void withholdsWhatHasOtherVerdicts() {
    var exitCode = convert(GOOD + "---\n" + GOOD.replace("name: good", "name: worse"), "--verify");

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8)).contains("name: good").doesNotContain("worse");
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            """
            ClusterPolicy/good: 7 verdicts compared, none differs
            FAIL before, PASS after
            ClusterPolicy/worse: 7 verdicts compared, some differ
            policies.yaml:18:1: ClusterPolicy/worse: a policy whose successor is not proven \
            cannot be converted: see above; please report differing verdicts, and write the \
            successor by hand
            1 of 2 policies of kyverno.io converted
            """);
  }

  /// Kyverno's other programs have kinds of the same names.
  @Test
  void countsTheKindsOfOtherPrograms() {
    var other = OTHER.replace("policies.kyverno.io/v1", "json.kyverno.io/v1alpha1");

    assertThat(convert(other + "---\n" + GOOD)).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8)).contains("name: good").doesNotContain("other");
    assertThat(err.toString(UTF_8))
        .isEqualTo("1 of 1 policy of kyverno.io converted, 1 of other kinds left out\n");
  }

  @Test
  void withholdsAPolicyWithItsException() {
    var refused =
        """
        apiVersion: kyverno.io/v2
        kind: PolicyException
        metadata: {name: tools, namespace: shop}
        spec:
          exceptions: [{policyName: good, ruleNames: ["*"]}, {policyName: worse, ruleNames: ["*"]}]
          match: {any: [{resources: {kinds: [Pod], operations: [CREATE]}}]}
        """;
    var other =
        refused
            .replace("tools", "more")
            .replace("good", "third")
            .replace(", operations: [CREATE]", "");
    var policies =
        List.of("good", "worse", "third", "free").stream()
            .map(name -> GOOD.replace("name: good", "name: " + name))
            .collect(joining("---\n"));

    assertThat(convert(refused + "---\n" + other + "---\n" + policies)).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8).lines().filter(line -> line.startsWith("  name: ")))
        .containsExactly("  name: free");
    assertThat(err.toString(UTF_8))
        .contains(
            "ClusterPolicy/good: a policy with an exception cannot be converted:"
                + " PolicyException.kyverno.io/shop/tools does not exempt from its successors;"
                + " write both by hand",
            "ClusterPolicy/third: a policy with an exception",
            "1 of 6 policies of kyverno.io converted");
  }

  @Test
  void withholdsAnExceptionWithItsPolicy() {
    var exception =
        """
        apiVersion: kyverno.io/v2
        kind: PolicyException
        metadata: {name: tools, namespace: shop}
        spec:
          exceptions: [{policyName: good, ruleNames: ["*"]}]
          match: {any: [{resources: {kinds: [Pod]}}]}
        """;
    var both = exception + "---\n" + GOOD;

    assertThat(convert(both, "--verify")).isEqualTo(ExitCode.OK);
    assertThat(err.toString(UTF_8)).contains("ClusterPolicy/good: 8 verdicts compared");
    assertThat(convert(both.replace("good", "worse"), "--verify")).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8)).doesNotContain("worse");
    assertThat(err.toString(UTF_8))
        .contains("an exception that names a policy without a successor");
  }

  @Test
  void exemptsFromNoneOfSeveralAlternatives() {
    var exception =
        """
        apiVersion: kyverno.io/v2
        kind: PolicyException
        metadata: {name: e, namespace: default}
        spec:
          exceptions: [{policyName: good, ruleNames: ["*"]}]
          match: {any: [{resources: {kinds: [Pod]}}]}
        """;
    var exitCode = convert(files(GOOD, GOOD, exception));

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(UTF_8))
        .contains(
            "file-2.yaml:5:3: PolicyException.kyverno.io/default/e: an exception that names a"
                + " policy without a successor");
  }

  @Test
  void refusesExceptionsForUsersAndLabelsOfNamespaces() {
    var exception =
        """
        ---
        apiVersion: kyverno.io/v2
        kind: PolicyException
        metadata: {name: %s, namespace: default}
        spec:
          exceptions: [{policyName: good, ruleNames: ["*"]}]
          match: {any: [{resources: {kinds: [Deployment]%s}%s}]}
        """;

    convert(
        GOOD
            + exception.formatted("by-labels", ", namespaceSelector: {matchLabels: {a: b}}", "")
            + exception.formatted("by-user", "", ", subjects: [{kind: User, name: someone}]"));

    assertThat(err.toString(UTF_8))
        .contains(
            "default/by-labels: namespaceSelector in an exception cannot be converted: Kyverno"
                + " heeds it only where a policy has one, too; name the namespaces",
            "default/by-user: subjects or roles in an exception cannot be converted: background"
                + " scans exempt whoever it is about; write the conditions in CEL");
  }

  @Test
  void convertsAlternativesInSeveralFilesAndSaysSo() {
    var other = GOOD.replace("replicas: 2", "replicas: 3");
    var exitCode = convert(files(GOOD, other), "--verify");

    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8).lines().filter("  name: good"::equals)).hasSize(2);
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            """
            ClusterPolicy/good: 7 verdicts compared, none differs
            ClusterPolicy/good: 7 verdicts compared, none differs
            2 of 2 policies of kyverno.io converted
            warning: ClusterPolicy/good is defined in file-0.yaml:1 and file-1.yaml:1; apply \
            the successors of one
            """);
  }

  @Test
  void refusesWhatSeveralDocumentsOfAFileDefine() {
    var exitCode = convert(GOOD + "---\n" + OTHER + "---\n" + GOOD, "--verify");

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(err.toString(UTF_8))
        .contains(
            "policies.yaml:3:1: ClusterPolicy/good: a policy that several documents define cannot"
                + " be converted: keep one of them",
            "0 of 2 policies of kyverno.io converted, 1 of other kinds left out");
    assertThat(err.toString(UTF_8).lines().filter(line -> line.contains("several"))).hasSize(2);
  }

  @Test
  void comparesNothingUnasked() {
    assertThat(convert(GOOD.replace("name: good", "name: worse"))).isEqualTo(ExitCode.OK);
  }

  @Test
  void whatOnlyVerificationNeedsRequiresIt() {
    var command = command("policies", "--resources=manifests", "--kyverno=bin/kyverno");

    assertThat(command.problems())
        .containsExactly("--resources requires --verify", "--kyverno requires --verify");
  }

  /// Of one policy the verdicts differ.
  private Proof verdicts(Conversion conversion, List<Conversion> exceptions) {
    return new Proof(
        7 + exceptions.size(),
        conversion.policy().id().name().equals("worse")
            ? List.of("FAIL before, PASS after")
            : List.of());
  }

  @Test
  void unreadableInputConvertsNothing() {
    var exitCode = convert(GOOD + "---\nkind: [\n");

    assertThat(exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(err.toString(UTF_8)).contains("policy-sync cannot convert:", "policies.yaml");
  }

  @Test
  void aMissingFileIsNamed() {
    var exitCode =
        command()
            .run(
                () -> {
                  throw new FeedProblem(
                      "cannot read nowhere.yaml: no such file or directory", false);
                },
                (_, _) -> new Proof(0, List.of()));

    assertThat(exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(UTF_8)).contains("nowhere.yaml");
  }

  @Test
  void wantsAnInput() {
    var command =
        ConvertCommand.on(
            (Invocation.Run) Invocation.of(new String[] {"convert"}), stream(out), stream(err));

    assertThat(command.problems())
        .containsExactly("no input: specify files or a directory, or - for standard input");
  }

  private ExitCode convert(String policies, String... options) {
    return convert(List.of(new Manifest("policies.yaml", policies.getBytes(UTF_8))), options);
  }

  private ExitCode convert(List<Manifest> files, String... options) {
    return command(options).run(() -> files, this::verdicts);
  }

  private static List<Manifest> files(String... texts) {
    return IntStream.range(0, texts.length)
        .mapToObj(i -> new Manifest("file-" + i + ".yaml", texts[i].getBytes(UTF_8)))
        .toList();
  }

  private ConvertCommand command(String... options) {
    var arguments = new ArrayList<>(List.of("convert", "policies.yaml"));
    arguments.addAll(List.of(options));
    return ConvertCommand.on(
        (Invocation.Run) Invocation.of(arguments.toArray(String[]::new)), stream(out), stream(err));
  }

  private static Output stream(ByteArrayOutputStream bytes) {
    return new Output(new PrintStream(bytes, true, UTF_8));
  }
}
