package dev.policysync.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Printable;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads source lines of the linted manifests, to show where a finding is.
public final class Excerpt {
  private static final int WIDEST = 120;

  private final Map<String, List<String>> lines = new HashMap<>();
  private final Map<String, Manifest> manifests = new HashMap<>();

  public Excerpt(List<Manifest> manifests) {
    manifests.forEach(manifest -> this.manifests.put(manifest.name(), manifest));
  }

  /// A source line and a line that marks a column of it.
  ///
  /// @param text printable, truncated to 120 characters
  /// @param caret spaces and a `^`
  public record Line(String text, String caret) {}

  /// Returns the line at `position`. Empty if the manifest has no such line or column, as in
  /// UTF-16, or if the column is beyond the truncated line.
  public Optional<Line> at(Position position) {
    var all = lines.computeIfAbsent(position.source(), this::linesOf);
    if (position.line() > all.size()) {
      return Optional.empty();
    }
    var line = all.get(position.line() - 1).replace('\t', ' ');
    var before = position.column() - 1;
    if (before > WIDEST || before > line.codePointCount(0, line.length())) {
      return Optional.empty();
    }
    var shownBefore = Printable.line(line.substring(0, line.offsetByCodePoints(0, before)));
    var shown = line.length() <= WIDEST ? line : line.substring(0, WIDEST) + "…";
    var caret = " ".repeat(shownBefore.codePointCount(0, shownBefore.length())) + "^";
    return Optional.of(new Line(Printable.line(shown), caret));
  }

  private List<String> linesOf(String source) {
    var manifest = manifests.get(source);
    if (manifest == null) {
      return List.of();
    }
    return new String(manifest.bytes(), UTF_8).lines().toList();
  }
}
