package dev.policysync.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// As many different policies as are asked for, 2 to 4 KB each, made of the example policies: each
/// for a team of its own, with its own name, labels, messages, registries and number of rules.
///
/// The same numbers always give the same texts, and the first hundred of a thousand are the first
/// hundred of five thousand. Of twenty, twelve are ClusterPolicies, five ValidatingPolicies, two
/// namespaced Policies and one is a ValidatingAdmissionPolicy.
final class ExamplePolicies {
  /// The namespaces that they need.
  static final List<String> NAMESPACES = List.of("shop");

  /// Every hundredth policy is the one that changes.
  private static final int CHANGING = 100;

  private static final int SMALLEST = 2_000;
  private static final int SIZES = 1_200;

  /// The first of the examples' rule lists to the end of the document, which it always reaches.
  private static final Pattern RULES = Pattern.compile("(?s)\n  rules:\n(.*)$");

  private static final Pattern RULE_NAME = Pattern.compile("(?m)^    - name: (\\S+)$");
  private static final Pattern MESSAGE =
      Pattern.compile("(?m)^( *message: (?:>-\n *)?)([A-Za-z{])");
  private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\S+)$");
  private static final Pattern NAME = Pattern.compile("(?m)^  name: (\\S+)$");

  private static final List<String> CLUSTER_POLICIES =
      List.of(
          "ClusterPolicy/restrict-image-registries",
          "ClusterPolicy/container-hardening",
          "ClusterPolicy/restrict-ingress-hosts",
          "ClusterPolicy/require-image-versions",
          "ClusterPolicy/restrict-exec",
          "ClusterPolicy/pod-security-baseline");
  private static final List<String> VALIDATING_POLICIES =
      List.of("ValidatingPolicy/require-team-label", "ValidatingPolicy/report-wide-roles");
  private static final List<String> POLICIES = List.of("Policy/ready-for-traffic");
  private static final List<String> ADMISSION_POLICIES =
      List.of("ValidatingAdmissionPolicy/protect-namespaces");

  private final Map<String, String> examples;

  private ExamplePolicies(Map<String, String> examples) {
    this.examples = examples;
  }

  /// @param folder of the example policies: `examples/policies`
  static ExamplePolicies from(Path folder) throws IOException {
    var examples = new HashMap<String, String>();
    try (Stream<Path> files = Files.list(folder)) {
      for (var file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        for (var document : Files.readString(file).split("(?m)^---\n", -1)) {
          var kind = KIND.matcher(document);
          var name = NAME.matcher(document);
          if (kind.find() && name.find()) {
            examples.put(kind.group(1) + "/" + name.group(1), document.stripTrailing() + "\n");
          }
        }
      }
    }
    return new ExamplePolicies(examples);
  }

  /// The first so many, as one stream of documents.
  ///
  /// @param release 0, 1, 2, …: one policy of a hundred differs from release to release
  String feed(int count, int release) {
    return String.join("---\n", documents(count, release));
  }

  List<String> documents(int count, int release) {
    return IntStream.range(0, count)
        .mapToObj(number -> document(number, number % CHANGING == 0 ? release : 0))
        .toList();
  }

  private String document(int number, int release) {
    var team = "team-" + number;
    var example = example(number);
    var text =
        NAME.matcher(example(number))
            .replaceFirst("  name: $1-" + number)
            .replaceFirst("(?m)^metadata:\n", "metadata:\n" + labels(example, team))
            .replace("fernside.example", team + ".example");
    var audience = "For " + team + (release == 0 ? "" : " since release " + release) + ", ";
    var addressed =
        MESSAGE
            .matcher(text)
            .replaceAll(message ->
                message.group(1) + Matcher.quoteReplacement(audience) + message.group(2));
    return grown(addressed, SMALLEST + number * 37 % SIZES);
  }

  private String example(int number) {
    var round = number / 20;
    var slot = number % 20;
    var name =
        slot < 12
            ? pick(CLUSTER_POLICIES, number)
            : slot < 17
                ? pick(VALIDATING_POLICIES, round + slot)
                : slot < 19 ? pick(POLICIES, round) : pick(ADMISSION_POLICIES, round);
    var example = examples.get(name);
    if (example == null) {
      throw new IllegalStateException("there is no example policy " + name);
    }
    return example;
  }

  private static String pick(List<String> names, int number) {
    return names.get(number % names.size());
  }

  private static String labels(String example, String team) {
    return example.contains("\n  labels:") ? "" : "  labels:\n    example.com/team: " + team + "\n";
  }

  /// The rules once more, under other names, until it is large enough.
  private static String grown(String document, int size) {
    var rules = RULES.matcher(document);
    if (!rules.find()) {
      return document;
    }
    var parts = new ArrayList<>(List.of(document));
    for (int length = document.length(), copy = 2; length < size; copy++) {
      var more = RULE_NAME.matcher(rules.group(1)).replaceAll("    - name: $1-" + copy);
      parts.add(more);
      length += more.length();
    }
    return String.join("", parts);
  }
}
