package dev.policysync.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.Stream;

/// Small policies of several kinds, as the feed would write them.
public final class Feeds {
  private static final Path EXAMPLES = Path.of("examples", "policies");

  private Feeds() {}

  /// All of the example policies, in their files' order.
  public static String examples() throws IOException {
    return examplesWithout("no file");
  }

  /// The example policies but for those of one file.
  ///
  /// @param file `restrict-exec.yaml`
  public static String examplesWithout(String file) throws IOException {
    var documents = new ArrayList<String>();
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (var example : files.sorted().toList()) {
        if (example.toString().endsWith(".yaml") && !example.endsWith(file)) {
          documents.add(Files.readString(example));
        }
      }
    }
    return String.join("\n---\n", documents);
  }

  public static String clusterPolicy(String name, String action) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata:
      name: %s
      annotations:
        policies.kyverno.io/title: Names a team
    spec:
      background: true
      rules:
        - name: has-team
          match:
            any:
              - resources:
                  kinds: [Pod]
          validate:
            failureAction: %s
            message: set the label team
            pattern:
              metadata:
                labels:
                  team: "?*"
    """
        .formatted(name, action);
  }

  public static String policy(String namespace, String name) {
    return clusterPolicy(name, "Audit")
        .replace("kind: ClusterPolicy", "kind: Policy")
        .replace("  name: " + name, "  name: " + name + "\n  namespace: " + namespace);
  }

  public static String validatingPolicy(String name) {
    return """
    apiVersion: policies.kyverno.io/v1alpha1
    kind: ValidatingPolicy
    metadata:
      name: %s
    spec:
      validationActions: [Audit]
      matchConstraints:
        resourceRules:
          - apiGroups: [""]
            apiVersions: [v1]
            operations: [CREATE]
            resources: [pods]
      validations:
        - expression: has(object.metadata.labels)
    """
        .formatted(name);
  }

  public static String of(String... documents) {
    return String.join("---\n", documents);
  }
}
