package dev.policysync;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A new kind of policy is a line in [PolicyKind]. What else knows a kind, or a type of kinds, by
/// name is in the list of `ARCHITECTURE.md`, and is no `switch` that passes over a new one.
class PolicyKindPlacesTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "dev", "policysync");
  private static final Path TABLE = SOURCES.resolve("policy/PolicyKind.java");

  private static final Pattern COMMENT = Pattern.compile("(?m)(^|\\s)//.*$");
  private static final Pattern KIND =
      Pattern.compile(
          "(?:PolicyKind\\.|case\\s[^>]*?)\\b(?:" + names(PolicyKind.values()) + ")\\b");
  private static final Pattern TYPE =
      Pattern.compile("\\bType\\.(?:" + names(PolicyKind.Type.values()) + ")\\b");

  /// Kinds and resources as texts, but for those that are words of English.
  private static final Pattern TEXT =
      Pattern.compile(
          "\"(?:"
              + PolicyKind.all().stream()
                  .filter(kind -> kind != PolicyKind.NAMESPACED_POLICY)
                  .flatMap(kind -> Stream.of(kind.kind(), kind.plural()))
                  .distinct()
                  .collect(joining("|"))
              + ")\"");

  private static final Pattern SWITCH = Pattern.compile("\\bswitch \\(");
  private static final Pattern CASE =
      Pattern.compile(
          "case\\s[^>]*?\\b(?:"
              + names(PolicyKind.values())
              + "|"
              + names(PolicyKind.Type.values())
              + ")\\b");
  private static final Pattern SILENT = Pattern.compile("default ->(?!\\s*throw\\b)");

  @Test
  void onlyListedPlacesNameAKindOrAType() {
    var naming = new TreeSet<String>();
    sources()
        .forEach((file, text) -> {
          if (Stream.of(KIND, TYPE, TEXT).anyMatch(pattern -> pattern.matcher(text).find())) {
            naming.add(name(file));
          }
        });

    assertThat(naming).isEqualTo(listed());
  }

  @Test
  void noSwitchPassesOverAKindThatItDoesNotKnow() {
    var silent = new TreeSet<String>();
    var switches = new TreeSet<String>();
    sources()
        .forEach((file, text) -> {
          for (var body : switches(text)) {
            if (CASE.matcher(body).find()) {
              switches.add(name(file));
              if (SILENT.matcher(body).find()) {
                silent.add(name(file));
              }
            }
          }
        });

    assertThat(switches)
        .contains("plan.impact.ImpactEvaluator", "remote.cluster.probe.ProbePolicy");
    assertThat(silent).isEmpty();
  }

  /// The bodies of its switches, those inside others too.
  private static List<String> switches(String text) {
    return SWITCH.matcher(text).results().map(found -> body(text, found.end())).toList();
  }

  private static String body(String text, int from) {
    int begin = text.indexOf('{', from);
    int depth = 0;
    for (int i = begin; i < text.length(); i++) {
      depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
      if (depth == 0) {
        return text.substring(begin, i);
      }
    }
    throw new AssertionError("a switch without an end: " + text.substring(from));
  }

  /// What the entry on policy kinds in `ARCHITECTURE.md` names with its package.
  private static Set<String> listed() {
    var page = text(Path.of("ARCHITECTURE.md"));
    var entry = page.substring(page.indexOf("- **A policy kind**"));
    return Pattern.compile("`((?:[a-z]+\\.)+[A-Z]\\w+)`")
        .matcher(entry.substring(0, entry.indexOf("\n- **")))
        .results()
        .map(found -> found.group(1))
        .filter(name -> !name.equals("policy.PolicyKind"))
        .collect(toCollection(TreeSet::new));
  }

  private static Map<Path, String> sources() {
    var all = new TreeMap<Path, String>();
    try (var files = Files.walk(SOURCES)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.equals(TABLE))
          .forEach(file -> all.put(file, COMMENT.matcher(text(file)).replaceAll("")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static String name(Path file) {
    var name = SOURCES.relativize(file).toString();
    return name.substring(0, name.length() - ".java".length()).replace('/', '.');
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static String names(Enum<?>[] constants) {
    return Arrays.stream(constants).map(Enum::name).collect(joining("|"));
  }
}
