package dev.policysync.remote.cluster.probe;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.io.IOException;

/// A harmless policy for a dry run, never stored: it audits ConfigMaps, in fields that every
/// version of its kind has.
final class ProbePolicy {
  private static final String RULES =
      """
      {"background": false,
       "rules": [{"name": "nothing",
                  "match": {"any": [{"resources": {"kinds": ["ConfigMap"], "names": ["policy-sync-check"]}}]},
                  "validate": {"message": "a dry run", "pattern": {"metadata": {"name": "?*"}}}}]}
      """;
  private static final String CEL =
      """
      {"validationActions": ["Audit"],
       "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"],
                                               "operations": ["CREATE"], "resources": ["configmaps"]}]},
       "validations": [{"expression": "true", "message": "a dry run"}]}
      """;

  private ProbePolicy() {}

  /// @throws IllegalArgumentException if there is no such policy for that kind
  static Value.Mapping of(PolicyKind kind, String version) {
    var spec =
        switch (kind) {
          case CLUSTER_POLICY -> RULES;
          case VALIDATING_POLICY -> CEL;
          default -> throw new IllegalArgumentException("no sample of " + kind);
        };
    return Value.Mapping.EMPTY
        .with("apiVersion", kind.group() + "/" + version)
        .with("kind", kind.kind())
        .with("metadata", Value.Mapping.EMPTY.with("generateName", "policy-sync-check-"))
        .with("spec", parsed(spec));
  }

  private static Value parsed(String json) {
    try {
      return Json.parse(json);
    } catch (IOException e) {
      throw new IllegalStateException("a sample cannot be read; a bug", e);
    }
  }
}
