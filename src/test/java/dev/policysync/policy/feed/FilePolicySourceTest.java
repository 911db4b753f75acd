package dev.policysync.policy.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.HeapBudget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Policies from files, directories and standard input.
class FilePolicySourceTest {
  private static final FeedLimit LIMIT = new FeedLimit(1_000, new HeapBudget(128 << 20));
  private static final String TOO_MUCH =
      "the feed exceeds the limit of 1000 bytes for a heap of 128.0 MiB; increase the"
          + " heap with POLICY_SYNC_JAVA_OPTIONS=-Xmx256m (chart: javaOptions, with a matching"
          + " memory limit), or check the path";

  @TempDir private Path directory;

  @Test
  void readsAFileWhateverItsName() throws IOException {
    var file = write("policies.txt", "a: 1\n");

    assertThat(texts(file)).containsExactly(file + "=a: 1\n");
  }

  @Test
  void readsTheManifestsBelowADirectoryInTheOrderOfTheirPaths() throws IOException {
    write("b.yaml", "b");
    write("a/z.yml", "az");
    write("a/b.json", "ab");
    write("c/d/e.yaml", "cde");
    write("README.md", "no");
    write("yaml", "no");
    write(".hidden.yaml", "no");
    write(".git/config.yaml", "no");

    assertThat(texts(directory))
        .containsExactly(
            directory + "/a/b.json=ab",
            directory + "/a/z.yml=az",
            directory + "/b.yaml=b",
            directory + "/c/d/e.yaml=cde");
  }

  @Test
  void readsAMountedConfigMapOnce() throws IOException {
    write("..2026/policies.yaml", "p");
    Files.createSymbolicLink(directory.resolve("..data"), Path.of("..2026"));
    Files.createSymbolicLink(directory.resolve("policies.yaml"), Path.of("..data/policies.yaml"));

    assertThat(texts(directory)).containsExactly(directory + "/policies.yaml=p");
  }

  @Test
  void readsADirectoryThatIsItselfHidden() throws IOException {
    write(".policies/a.yaml", "a");

    assertThat(texts(directory.resolve(".policies")))
        .containsExactly(directory + "/.policies/a.yaml=a");
  }

  @Test
  void remembersWhatStandardInputSaid() {
    var stream = new ByteArrayInputStream("a: 1".getBytes(UTF_8));
    var source = new FilePolicySource("-", () -> stream);
    var first = source.read();

    var second = source.read();

    assertThat(second).isEqualTo(first);
    assertThat(second.getFirst().bytes()).asString().isEqualTo("a: 1");
  }

  @Test
  void readsStandardInput() {
    var source = new FilePolicySource("-", () -> new ByteArrayInputStream("a: 1".getBytes(UTF_8)));

    assertThat(source.read())
        .extracting(manifest -> manifest.name() + "=" + new String(manifest.bytes(), UTF_8))
        .containsExactly("-=a: 1");
  }

  @Test
  void directoryWithoutManifestsIsNoEmptyFeed() throws IOException {
    write("README.md", "no");

    assertThatThrownBy(() -> texts(directory))
        .isInstanceOf(FeedProblem.class)
        .hasMessage(
            "no *.yaml, *.yml or *.json file below "
                + directory
                + "; specify a directory that contains one");
  }

  @Test
  void saysWhichFileIsNotThere() throws IOException {
    var missing = directory.resolve("missing.yaml");

    assertThatThrownBy(() -> texts(missing))
        .isInstanceOf(FeedProblem.class)
        .hasMessage("cannot read " + missing + ": no such file or directory");

    var broken = Files.createSymbolicLink(directory.resolve("broken.yaml"), Path.of("nowhere"));
    assertThatThrownBy(() -> texts(directory))
        .isInstanceOf(FeedProblem.class)
        .hasMessage("cannot read " + broken + ": no such file or directory");
  }

  @Test
  void saysWhichLinkLeadsInACircle() throws IOException {
    write("a/b.yaml", "ab");
    var loop = Files.createSymbolicLink(directory.resolve("a/loop"), directory);

    assertThatThrownBy(() -> texts(directory))
        .isInstanceOf(FeedProblem.class)
        .hasMessage(
            "cannot list "
                + directory
                + ": the symbolic link "
                + loop
                + " leads back to a directory above it");
  }

  @Test
  void readsNoMoreInAllThanTheHeapHasRoomFor() throws IOException {
    Files.write(directory.resolve("a.yaml"), new byte[600]);
    Files.write(directory.resolve("b.yaml"), new byte[401]);
    var source = new FilePolicySource(directory.toString(), InputStream::nullInputStream, LIMIT);

    assertThatThrownBy(source::read)
        .isInstanceOf(FeedProblem.class)
        .hasMessage(directory + ": " + TOO_MUCH);
  }

  @Test
  void readsNoMoreOfAnEndlessInputThanTheHeapHasRoomFor() {
    var source = new FilePolicySource("-", EndlessSpaces::new, LIMIT);

    assertThatThrownBy(source::read).isInstanceOf(FeedProblem.class).hasMessage("-: " + TOO_MUCH);
  }

  @Test
  void refusesWhatIsNoPath() {
    assertThatThrownBy(() -> new FilePolicySource("a\0b", InputStream::nullInputStream).read())
        .isInstanceOf(FeedProblem.class)
        .hasMessageEndingWith("invalid path");
  }

  private Path write(String name, String text) throws IOException {
    var file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static List<String> texts(Path from) {
    return new FilePolicySource(from.toString(), InputStream::nullInputStream)
        .read().stream()
            .map(manifest -> manifest.name() + "=" + new String(manifest.bytes(), UTF_8))
            .toList();
  }

  private static final class EndlessSpaces extends InputStream {
    @Override
    public int read() {
      return ' ';
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      Arrays.fill(bytes, from, from + length, (byte) ' ');
      return length;
    }
  }
}
