package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// What a sync says of the policies that Kyverno 1.20 no longer executes, with the whole program.
class ConversionPreviewIT extends EndToEnd {
  private static final String REFUSED =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: copied
      spec:
        rules:
          - name: copy
            match: {any: [{resources: {kinds: [v1/Namespace]}}]}
            generate:
              apiVersion: v1
              kind: ConfigMap
              name: copied
              namespace: "{{ request.object.metadata.name }}"
              data: {data: {team: none}}
      """;
  private static final String PREVIEW =
      """
      [{"policy":"ClusterPolicy/copied","successors":[],"refusals":[{"rule":"copy","file":"feed",\
      "line":%d,"column":7,"construct":"generate",\
      "advice":"this part is not converted yet; write it in CEL by hand"}],"notInForceFrom":"1.20"},\
      {"policy":"ClusterPolicy/team","successors":["ValidatingPolicy/team"],"refusals":[]}]\
      """;

  private final String feed = Feeds.of(clusterPolicy("team", "Audit"), REFUSED);

  @Test
  void isPartOfADiffAndWritesNothing() {
    insights.expects(feed);

    var run = agent.run("diff", "--convert=preview");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout())
        .contains(
            """
            Kyverno 1.20: 1 of 2 policies of kyverno.io has a successor (preview, nothing is converted)
              ! ClusterPolicy/copied  no successor  not in force from Kyverno 1.20 on
                  feed:%d:7: rule copy: generate cannot be converted: this part is not converted yet; write it in CEL by hand
              = ClusterPolicy/team    would become  ValidatingPolicy/team
            """
                .formatted(line()));
    assertThat(exists("clusterpolicies", "team")).isFalse();
  }

  @Test
  void isSaidByRunsThatReadThePoliciesAndLeavesThemAsTheyAre() {
    insights.expects(feed);
    agent.with("CONVERT", "preview");

    var first = agent.run();
    var second = agent.run();
    var dryRun = agent.run("--dry-run");

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(texts(first, "applied")).containsExactly("copied", "team");
    assertThat(conversions(first)).isEqualTo(PREVIEW.formatted(line()));
    assertThat(exists("validatingpolicies", "team")).isFalse();
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(second.summary().field("conversions")).isEmpty();
    assertThat(conversions(dryRun)).isEqualTo(PREVIEW.formatted(line()));
  }

  @Test
  void saysWhatTheCommandSays() throws IOException {
    insights.expects(feed);
    var file = Files.writeString(folder.resolve("feed"), feed).toString();

    var preview = agent.run("diff", "--convert=preview");
    var command = agent.run("convert", file);

    assertThat(command.stderr())
        .contains(file + ":" + line() + ":7: ClusterPolicy/copied, rule copy: generate cannot be");
    var reason = command.stderr().lines().findFirst().orElseThrow().replaceFirst(".*: gen", "gen");
    assertThat(preview.stdout()).contains(reason);
  }

  @Test
  void loadsTheConverterOnlyWhereItIsAsked() throws IOException {
    insights.expects(clusterPolicy("one", "Audit"));
    var off = agent.classesOfARun(folder.resolve("off.log"));
    insights.expects(clusterPolicy("two", "Audit"));
    var preview = agent.with("CONVERT", "preview").classesOfARun(folder.resolve("preview.log"));
    var inSync = agent.classesOfARun(folder.resolve("in-sync.log"));

    assertThat(preview).contains("dev.policysync.convert.Converter");
    assertThat(off)
        .noneMatch(
            name -> name.startsWith("dev.policysync.convert.") && !name.endsWith(".ConvertMode"));
    assertThat(inSync)
        .noneMatch(
            name -> name.startsWith("dev.policysync.convert.") && !name.contains(".ConvertMode"));
  }

  @Test
  void knowsNoOtherMode() {
    var run = agent.with("CONVERT", "always").run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(2);
    assertThat(run.stdout())
        .contains("CONVERT (--convert) is \\\"always\\\"; expected off, preview or apply");
  }

  /// The line of `generate` in the feed.
  private int line() {
    return (int) feed.lines().takeWhile(line -> !line.endsWith("generate:")).count() + 1;
  }

  private static String conversions(Agent.Run run) {
    return Json.write(new Value.Sequence(run.summary().items("conversions")));
  }
}
