package dev.policysync.policy;

/// One YAML or JSON stream and its name for messages: a file's path, `feed` or `-`.
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record Manifest(String name, byte[] bytes) {
  @Override
  public String toString() {
    return name + " (" + bytes.length + " bytes)";
  }
}
