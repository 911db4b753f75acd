package dev.policysync.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The lines of what was judged, for showing where a finding is.
public final class Excerpt {
  private static final int WIDEST = 120;

  private final Map<String, List<String>> lines = new HashMap<>();
  private final Map<String, Manifest> manifests = new HashMap<>();

  /// Of these streams.
  public Excerpt(List<Manifest> manifests) {
    manifests.forEach(manifest -> this.manifests.put(manifest.name(), manifest));
  }

  /// A line and a mark below it.
  ///
  /// @param text without what would make it longer than a screen is wide
  /// @param caret spaces (and tabs, where the line has them) and a `^`
  public record Line(String text, String caret) {}

  /// The line at that place; none where the stream has no such line, as in UTF-16.
  public Optional<Line> at(Position position) {
    var all = lines.computeIfAbsent(position.source(), this::linesOf);
    if (position.line() > all.size()) {
      return Optional.empty();
    }
    var line = all.get(position.line() - 1);
    var before = line.codePoints().limit(position.column() - 1L).toArray();
    if (before.length > WIDEST || before.length < position.column() - 1) {
      return Optional.empty();
    }
    var caret = new StringBuilder();
    for (var point : before) {
      caret.append(point == '\t' ? '\t' : ' ');
    }
    var shown = line.length() <= WIDEST ? line : line.substring(0, WIDEST) + "…";
    return Optional.of(new Line(shown, caret.append('^').toString()));
  }

  private List<String> linesOf(String source) {
    var manifest = manifests.get(source);
    if (manifest == null) {
      return List.of();
    }
    return new String(manifest.bytes(), UTF_8).lines().toList();
  }
}
