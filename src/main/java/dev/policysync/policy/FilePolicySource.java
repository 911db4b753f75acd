package dev.policysync.policy;

import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;

/// Placeholder until the YAML branch lands.
public final class FilePolicySource implements PolicySource {
  /// Placeholder.
  public FilePolicySource(String path, Supplier<InputStream> stdin) {}

  @Override
  public List<Manifest> read() {
    return List.of();
  }
}
