package dev.policysync.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/compatibility.md` is about the versions that are pinned, every one of them: whoever
/// changes a pin has `make matrix` run it.
class CompatibilityPageTest {
  private static final Path CLUSTER = Path.of("dev", "cluster");

  private final List<String> lines = lines();

  @Test
  void hasARowForEachKubernetes() throws IOException {
    var pinned =
        Stream.concat(folders("kubernetes-"), Stream.of(CLUSTER.resolve("kube-apiserver")))
            .map(folder -> version(folder, "k8s.io/kubernetes"))
            .toList();

    for (var table : List.of(0, 1)) {
      assertThat(rows(table)).extracting(row -> row.getFirst()).containsExactlyElementsOf(pinned);
    }
  }

  @Test
  void hasAColumnForEachKyverno() throws IOException {
    var resources =
        KyvernoRelease.all().stream().map(release -> release.version().substring(1)).toList();
    var running =
        folders("kyverno-").map(folder -> version(folder, "github.com/kyverno/kyverno")).toList();

    assertThat(columns(0)).containsExactlyElementsOf(resources);
    assertThat(columns(1)).containsExactlyElementsOf(running);
    assertThat(resources).containsAll(running);
  }

  private List<String> columns(int table) {
    return cells(headers().get(table)).stream()
        .skip(1)
        .map(name -> name.replace("Kyverno ", ""))
        .toList();
  }

  private List<List<String>> rows(int table) {
    return lines.stream()
        .skip(lines.indexOf(headers().get(table)) + 2L)
        .takeWhile(line -> line.startsWith("| "))
        .map(CompatibilityPageTest::cells)
        .toList();
  }

  private List<String> headers() {
    return lines.stream().filter(line -> line.startsWith("| Kubernetes |")).toList();
  }

  private static List<String> cells(String row) {
    return Arrays.stream(row.split("\\|"))
        .map(String::strip)
        .filter(cell -> !cell.isEmpty())
        .toList();
  }

  private static Stream<Path> folders(String prefix) throws IOException {
    return Matrix.pinned(prefix).stream()
        .map(minor -> CLUSTER.resolve("matrix").resolve(prefix + minor));
  }

  /// `1.33.13`, from `v1.33.13`.
  private static String version(Path folder, String module) {
    try {
      var found =
          Pattern.compile(Pattern.quote(module) + " v(\\S+)")
              .matcher(Files.readString(folder.resolve("go.mod")));
      assertThat(found.find()).as(folder + " " + module).isTrue();
      return found.group(1);
    } catch (IOException e) {
      throw new AssertionError("cannot read the pin in " + folder, e);
    }
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(Path.of("docs", "compatibility.md"));
    } catch (IOException e) {
      throw new AssertionError("cannot read the page", e);
    }
  }
}
