package dev.policysync.policy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.policy.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestTreeTest {
  @TempDir private Path root;

  @BeforeEach
  void writeOneFile() throws IOException {
    Files.writeString(root.resolve("a.yaml"), "a: 1");
  }

  @Test
  void readsTheRestWhereALinkLeadsBack() throws IOException {
    Files.createSymbolicLink(root.resolve("loop"), root);

    var tree = read(_ -> false);

    assertThat(tree.manifests()).hasSize(1);
    assertThat(tree.unreadable())
        .singleElement()
        .satisfies(document ->
            assertThat(document.reason())
                .startsWith("cannot read the file: the symbolic link ")
                .endsWith("leads back to a directory above it"));
  }

  @Test
  void readsTheRestWhereALinkIsBroken() throws IOException {
    Files.createSymbolicLink(root.resolve("b.yaml"), root.resolve("nowhere"));

    var tree = read(_ -> false);

    assertThat(tree.manifests()).hasSize(1);
    assertThat(tree.unreadable())
        .extracting(UnreadableDocument::reason)
        .containsExactly("cannot read the file: no such file or directory");
  }

  @Test
  void doesNotTouchWhatIsExcluded() throws IOException {
    Files.createDirectory(root.resolve("vendored"));
    Files.createSymbolicLink(root.resolve("vendored/loop"), root);
    Files.writeString(root.resolve("vendored/b.yaml"), "b: 1");

    var tree = read(path -> path.endsWith("vendored"));

    assertThat(tree.unreadable()).isEmpty();
    assertThat(tree.manifests())
        .extracting(Manifest::name)
        .containsExactly(root.resolve("a.yaml").toString());
  }

  @Test
  void refusesADirectoryWithoutManifests() {
    assertThatThrownBy(() -> read(_ -> true))
        .isInstanceOf(FeedProblem.class)
        .hasMessageContaining("no *.yaml, *.yml or *.json file below");
  }

  private ManifestTree read(Predicate<Path> excluded) {
    return ManifestTree.read(List.of(root.toString()), excluded, InputStream::nullInputStream);
  }
}
