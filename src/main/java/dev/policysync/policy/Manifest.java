package dev.policysync.policy;

import dev.policysync.base.yaml.YamlBytes;

/// One YAML or JSON stream and its name in messages: a file's path, `feed` or `-`.
public record Manifest(String name, YamlBytes yaml) {
  public Manifest(String name, byte[] bytes) {
    this(name, new YamlBytes.Plain(bytes));
  }

  /// Returns all bytes of the stream, see [YamlBytes#all].
  public byte[] bytes() {
    return yaml.all();
  }

  @Override
  public String toString() {
    return name + " (" + yaml.length() + " bytes)";
  }
}
