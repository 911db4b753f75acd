package dev.policysync.yaml;

import java.util.List;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/// Says in our own words what SnakeYAML found: its messages quote the document, these never do.
final class SyntaxProblem {
  private static final String NOT_YAML = "not well-formed YAML";
  private static final String NOT_CLOSED =
      "a bracket or brace that is not closed, or a comma missing";
  private static final String STREAM_END = "<stream end>";
  private static final String TAB = "found character '\\t";
  private static final String SPACE = "found character '\\ ";
  private static final List<Known> KNOWN =
      List.of(
          new Known(
              "mapping values are not allowed",
              "': ' where no key can be; quote text that contains it, or check the indentation"),
          new Known(TAB, "a tab where only spaces may stand"),
          new Known(SPACE, "tabs and spaces mixed; use spaces"),
          new Known(
              "found character",
              "text begins with a character that YAML reserves (such as @ or %); quote it"),
          new Known(
              "could not find expected ':'",
              "a line without ': ' among the fields of a mapping; check quotes and indentation"),
          new Known("expected <block end>", "a line that is indented unlike its neighbours"),
          new Known("sequence entries are not", "'- ' where no list can be; check the indentation"),
          new Known("mapping keys are not", "'? ' where no mapping can be; check the indentation"),
          new Known("found unexpected", "a quoted text that is not closed"),
          new Known("expected ',' or", NOT_CLOSED),
          new Known(
              "expected the node content",
              "nothing where a value is expected; quote text that begins with a bracket or comma"),
          new Known(
              "expected '<document start>'",
              "text after the end of the document; begin the next one with ---"),
          new Known(
              "while scanning a double-quoted",
              "an unknown escape in quoted text; write the backslash twice, or use single quotes"),
          new Known("found incompatible YAML", "a %YAML version that is not 1.1"),
          new Known("while scanning a directive", "a line that begins with % is no YAML directive"),
          new Known("found undefined tag", "a tag (!) with a prefix that no %TAG line explains"),
          new Known("while scanning a tag", "a tag that is not well-formed; quote a leading !"),
          new Known(
              "while scanning an a",
              "an anchor or alias without a plain name; quote text that begins with & or *"),
          new Known(
              "while scanning a block scalar",
              "only an indentation, + or - may follow | or > on its line"));

  private SyntaxProblem() {}

  /// The problem that SnakeYAML has with a text.
  static YamlProblem of(YAMLException e, SectionText section) {
    return switch (e) {
      case MarkedYAMLException marked -> of(marked, section);
      case ReaderException reader ->
          new YamlProblem(
              "a control character, which YAML forbids", section.placeAfter(reader.getPosition()));
      default -> new YamlProblem(NOT_YAML, section.start());
    };
  }

  private static YamlProblem of(MarkedYAMLException e, SectionText section) {
    var problem = String.valueOf(e.getProblem());
    var words = inOurWords(problem, String.valueOf(e.getContext()));
    var opening = endsTooSoon(problem) ? e.getContextMark() : null;
    var mark = opening == null ? e.getProblemMark() : opening;
    if (mark == null) {
      return new YamlProblem(words, section.start());
    }
    return problem.startsWith(TAB) || problem.startsWith(SPACE)
        ? new YamlProblem(words, section.place(mark), mark.getIndex())
        : new YamlProblem(words, section.place(mark));
  }

  /// Whether the beginning of what lacks its end tells more than the place where it was missed.
  private static boolean endsTooSoon(String problem) {
    return problem.startsWith("could not find expected ':'")
        || problem.startsWith("found unexpected")
        || problem.contains(STREAM_END);
  }

  private static String inOurWords(String problem, String context) {
    if (problem.contains(STREAM_END)) {
      return NOT_CLOSED;
    }
    for (var known : KNOWN) {
      if (problem.startsWith(known.beginning) || context.startsWith(known.beginning)) {
        return known.words;
      }
    }
    return NOT_YAML;
  }

  /// How a problem, or what was being read, begins in SnakeYAML 2.7, and what we say.
  private record Known(String beginning, String words) {}
}
