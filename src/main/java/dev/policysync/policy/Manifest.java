package dev.policysync.policy;

import dev.policysync.base.yaml.YamlBytes;

/// One YAML or JSON stream and what people call it: a file's path, `feed` or `-`.
public record Manifest(String name, YamlBytes yaml) {
  /// One whose bytes are kept as they are.
  public Manifest(String name, byte[] bytes) {
    this(name, new YamlBytes.Plain(bytes));
  }

  /// All its bytes, see [YamlBytes#all].
  public byte[] bytes() {
    return yaml.all();
  }

  @Override
  public String toString() {
    return name + " (" + yaml.length() + " bytes)";
  }
}
