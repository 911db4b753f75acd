package dev.policysync.testcluster;

import java.nio.file.Files;
import java.nio.file.Path;

/// The folder that `dev/cluster/prepare kyverno` leaves: a program of each controller in `bin`, and
/// `install.yaml`.
public record KyvernoAssets(Path folder) {
  /// Names the folder where the build has prepared it already.
  public static final String PROPERTY = "policysync.kyverno";

  public KyvernoAssets {
    if (!Files.exists(folder.resolve("install.yaml"))) {
      throw new IllegalStateException(
          folder + " has no install.yaml; expected what dev/cluster/prepare kyverno leaves");
    }
  }

  /// The prepared folder that [#PROPERTY] names; without it, as in an IDE, it is prepared now.
  ///
  /// @throws IllegalStateException if that fails, with what `dev/cluster/prepare` says is missing
  public static KyvernoAssets find() {
    return new KyvernoAssets(Preparation.folder(PROPERTY, "kyverno"));
  }

  Path program(String name) {
    return folder.resolve("bin").resolve(name);
  }

  Path manifest() {
    return folder.resolve("install.yaml");
  }
}
