package dev.policysync.policy;

/// Placeholder until the YAML branch lands.
public final class PolicyYaml {
  private PolicyYaml() {}

  /// Writes.
  public static String write(Value value) {
    return CanonicalJson.write(value);
  }
}
