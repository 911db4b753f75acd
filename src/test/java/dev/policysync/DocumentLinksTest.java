package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each link of a Markdown page leads to a file of the repository, and to a heading that this file
/// has. Links to other sites are not followed.
class DocumentLinksTest {
  private static final Path INDEX = Path.of("docs", "README.md");

  /// What is not a page of the repository: build output, and texts that tests expect.
  private static final Set<Path> LEFT_OUT =
      Set.of(Path.of("target"), Path.of(".git"), Path.of("src"));

  /// Pages of files in this repository, on its own site.
  private static final Pattern OWN =
      Pattern.compile("https://github\\.com/policy-sync/policy-sync/(?:blob|tree)/[^/]+/(.*)");

  private static final Pattern FENCE = Pattern.compile("(?ms)^ *(```+|~~~+).*?^ *\\1 *$");
  private static final Pattern CODE = Pattern.compile("(`+)(?!`).+?(?<!`)\\1(?!`)");
  private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
  private static final Pattern INLINE = Pattern.compile("]\\(\\s*<?([^)\\s>]*)>?[^)]*\\)");
  private static final Pattern REFERENCE = Pattern.compile("(?m)^ {0,3}\\[[^]]+]:\\s*<?([^\\s>]+)");
  private static final Pattern HTML = Pattern.compile("(?:href|src|srcset)=\"([^\"]+)\"");
  private static final Pattern HEADING = Pattern.compile("(?m)^ {0,3}#{1,6} +(.*?)(?: +#+)? *$");
  private static final Pattern NAMED = Pattern.compile("<\\w+[^>]* (?:id|name)=\"([^\"]+)\"");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void everyLinkLeadsToAFileAndAHeading() {
    var broken = new ArrayList<String>();
    var checked = 0;
    for (var page : pages()) {
      for (var link : links(page)) {
        checked++;
        problem(page, link).ifPresent(problem -> broken.add(page + ": " + link + " " + problem));
      }
    }

    assertThat(broken).isEmpty();
    assertThat(checked).isGreaterThan(400);
  }

  /// The pages of lint rules have an index of their own.
  @Test
  void theIndexLinksEveryPageOfTheDocs() {
    var linked = new HashSet<Path>();
    for (var link : links(INDEX)) {
      linked.add(INDEX.resolveSibling(link.replaceFirst("#.*", "")).normalize());
    }

    assertThat(linked)
        .containsAll(
            pages().stream()
                .filter(page -> page.startsWith("docs") && !page.equals(INDEX))
                .filter(page -> !page.getFileName().toString().matches("PS\\d+\\.md"))
                .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "To verify what you run | to-verify-what-you-run",
        "`NAMESPACE (--namespace) is required` | namespace---namespace-is-required",
        "[1. Identity](safety.md#1) is **all** | 1-identity-is-all",
        "Dry-run is the API server's own | dry-run-is-the-api-servers-own",
        "`…; the run did not stop` | -the-run-did-not-stop",
      })
  void headingsHaveTheAnchorsThatGitHubGivesThem(String heading, String anchor) {
    assertThat(anchor(heading)).isEqualTo(anchor);
  }

  private Optional<String> problem(Path page, String link) {
    if (link.startsWith("mailto:")) {
      return Optional.empty();
    }
    var own = OWN.matcher(link);
    var ofSite = own.matches();
    if (!ofSite && link.matches("[a-z]+://.*")) {
      return Optional.empty();
    }
    var target = URI.create(ofSite ? own.group(1) : link);
    var folder = ofSite || page.getParent() == null ? Path.of("") : page.getParent();
    var file = target.getPath().isEmpty() ? page : folder.resolve(target.getPath()).normalize();
    if (file.startsWith("..") || file.isAbsolute() || !exists(file)) {
      return Optional.of("is no file of the repository");
    }
    if (target.getFragment() == null) {
      return Optional.empty();
    }
    return anchorsOf(file).contains(target.getFragment())
        ? Optional.empty()
        : Optional.of("is no heading of " + file);
  }

  /// Returns whether the file exists under exactly this name, also where case does not matter.
  private static boolean exists(Path file) {
    try {
      return file.toString().isEmpty()
          || Path.of("").toRealPath().resolve(file).equals(file.toRealPath());
    } catch (IOException _) {
      return false;
    }
  }

  private Set<String> anchorsOf(Path file) {
    return anchors.computeIfAbsent(file, DocumentLinksTest::readAnchors);
  }

  /// A heading whose anchor is taken gets the first free number.
  private static Set<String> readAnchors(Path file) {
    if (!file.toString().endsWith(".md")) {
      return Set.of();
    }
    var text = FENCE.matcher(text(file)).replaceAll("");
    var found = new HashSet<String>();
    HEADING
        .matcher(text)
        .results()
        .map(heading -> anchor(heading.group(1)))
        .forEach(anchor -> {
          var free = anchor;
          for (var number = 1; !found.add(free); number++) {
            free = anchor + "-" + number;
          }
        });
    NAMED.matcher(text).results().map(named -> named.group(1)).forEach(found::add);
    return found;
  }

  /// The anchor that GitHub gives a heading: its text in lower case, without everything but
  /// letters, digits, hyphens and underscores, and with a hyphen for each space.
  private static String anchor(String heading) {
    return heading
        .replaceAll("!?\\[([^]]*)]\\([^)]*\\)", "$1")
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]", "")
        .replace(' ', '-');
  }

  private static List<String> links(Path page) {
    var text = COMMENT.matcher(FENCE.matcher(text(page)).replaceAll("")).replaceAll("");
    var prose = CODE.matcher(text).replaceAll("``");
    return Stream.of(INLINE, REFERENCE, HTML)
        .flatMap(kind -> kind.matcher(prose).results().map(link -> link.group(1)))
        .toList();
  }

  private static List<Path> pages() {
    try (Stream<Path> files = Files.walk(Path.of(""))) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> LEFT_OUT.stream().noneMatch(file::startsWith))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the pages", e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
