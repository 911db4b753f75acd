package dev.policysync.policy;

/// One YAML or JSON stream and what people call it: a file's path, `feed` or `-`.
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record Manifest(String name, byte[] bytes) {
  @Override
  public String toString() {
    return name + " (" + bytes.length + " bytes)";
  }
}
