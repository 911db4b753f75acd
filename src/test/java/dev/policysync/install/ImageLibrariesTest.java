package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.parser.CelParser;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Parser;
import org.junit.jupiter.api.Test;

/// The libraries that the Dockerfile takes out of the image.
class ImageLibrariesTest {
  private static final Pattern REMOVED =
      Pattern.compile("&& rm (.*?\\.jar)\n(?!\\s+\\S*\\.jar)", Pattern.DOTALL);

  @Test
  void areNoneThatReadsCelWhichARunMayHaveToWithLintBlock() throws IOException {
    var removed = removed();

    assertThat(removed).contains("client-java-*.jar").hasSizeGreaterThan(10);
    for (var needed :
        List.of(CelParser.class, CelAbstractSyntaxTree.class, ImmutableList.class, Parser.class)) {
      var jar = jar(needed);
      assertThat(removed)
          .as(jar.toString())
          .noneMatch(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(jar));
    }
  }

  private static List<String> removed() throws IOException {
    var found = REMOVED.matcher(Files.readString(Path.of("Dockerfile")));
    assertThat(found.find()).isTrue();
    return Stream.of(found.group(1).split("[\\s\\\\]+", 0)).toList();
  }

  private static Path jar(Class<?> ofThat) {
    var resource = String.valueOf(ofThat.getResource(ofThat.getSimpleName() + ".class"));
    var parts = Arrays.asList(resource.split("!", 2)[0].split("/", 0));
    return Path.of(parts.getLast());
  }
}
