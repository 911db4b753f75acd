package dev.policysync.base.yaml;

import java.util.List;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/// Translates SnakeYAML's errors into our own messages: SnakeYAML's messages quote the document,
/// ours never do.
final class SyntaxProblem {
  private static final String NOT_YAML = "invalid YAML";
  private static final String NOT_CLOSED = "an unclosed bracket or brace, or a missing comma";
  private static final String STREAM_END = "<stream end>";
  private static final String TAB = "found character '\\t";
  private static final String SPACE = "found character '\\ ";
  private static final List<Known> KNOWN =
      List.of(
          new Known(
              "mapping values are not allowed",
              "unexpected ': '; quote text that contains it, or check the indentation"),
          new Known(TAB, "a tab where only spaces are allowed"),
          new Known(SPACE, "tabs and spaces mixed; use spaces"),
          new Known(
              "found character", "text starts with a reserved character (e.g. @ or %); quote it"),
          new Known(
              "could not find expected ':'",
              "a line without ': ' in a mapping; check quotes and indentation"),
          new Known("expected <block end>", "inconsistent indentation"),
          new Known("sequence entries are not", "unexpected '- '; check the indentation"),
          new Known("mapping keys are not", "unexpected '? '; check the indentation"),
          new Known("found unexpected", "an unclosed quoted text"),
          new Known("expected ',' or", NOT_CLOSED),
          new Known(
              "expected the node content",
              "a value is missing; quote text that starts with a bracket or comma"),
          new Known(
              "expected '<document start>'",
              "text after the end of the document; start the next one with ---"),
          new Known(
              "while scanning a double-quoted",
              "an unknown escape in quoted text; double the backslash or use single quotes"),
          new Known(
              "found incompatible YAML", "an unsupported %YAML version; only 1.1 is supported"),
          new Known(
              "while scanning a directive", "a line that starts with % is not a valid directive"),
          new Known(
              "found undefined tag", "a tag (!) with an undefined prefix; declare it with %TAG"),
          new Known("while scanning a tag", "a malformed tag; quote a leading !"),
          new Known(
              "while scanning an a",
              "an anchor or alias without a name; quote text that starts with & or *"),
          new Known(
              "while scanning a block scalar",
              "only an indentation, + or - may follow | or > on the same line"));

  private SyntaxProblem() {}

  static YamlProblem of(YAMLException e, SectionText section) {
    return switch (e) {
      case MarkedYAMLException marked -> of(marked, section);
      case ReaderException reader ->
          new YamlProblem(
              "a control character, which YAML does not allow",
              section.placeAfter(reader.getPosition()));
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

  /// Returns whether the location where an unfinished construct starts is more useful than the
  /// location where its end is missing.
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

  /// Our text for a problem or context that begins like this in SnakeYAML 2.7.
  private record Known(String beginning, String words) {}
}
