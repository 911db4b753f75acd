package dev.policysync.testcluster;

import java.nio.file.Files;
import java.nio.file.Path;

/// The folder that `dev/cluster/prepare kyverno-cli` leaves: `bin/kyverno`.
public record KyvernoCliAssets(Path folder) {
  /// Names the folder where the build has prepared it already.
  public static final String PROPERTY = "policysync.kyverno-cli";

  public KyvernoCliAssets {
    if (!Files.exists(folder.resolve("bin/kyverno"))) {
      throw new IllegalStateException(
          folder + " has no bin/kyverno; expected what dev/cluster/prepare kyverno-cli leaves");
    }
  }

  /// The prepared folder that [#PROPERTY] names; without it, as in an IDE, it is prepared now.
  ///
  /// @throws IllegalStateException if that fails, with what `dev/cluster/prepare` says is missing
  public static KyvernoCliAssets find() {
    return new KyvernoCliAssets(Preparation.folder(PROPERTY, "kyverno-cli"));
  }

  /// Kyverno's command line.
  public Path kyverno() {
    return folder.resolve("bin/kyverno");
  }
}
