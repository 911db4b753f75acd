package dev.policysync.cli.sync;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.plan.FieldChange;
import java.util.List;
import java.util.Optional;

/// Field changes as text: a changed scalar on one line, anything larger as YAML below its path.
final class DiffText {
  private static final String INDENT = "      ";
  private static final int LONGEST_LINE = 60;

  private final TextStyle textStyle;

  DiffText(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  /// @param effect the effect that the policy's own line already has: `Audit → Enforce`
  TerminalText write(List<FieldChange> changes, Optional<String> effect) {
    var text = new TerminalText();
    for (var change : changes) {
      var before = oneLine(change.before());
      var after = oneLine(change.after());
      if (before.isPresent()
          && after.isPresent()
          && effect.equals(Optional.of(before.get() + " → " + after.get()))) {
        continue;
      }
      if (before.isPresent() && after.isPresent()) {
        text.append(INDENT)
            .append(change.path())
            .append(": ")
            .append(textStyle.red(before.get()))
            .append(" → ")
            .append(textStyle.green(after.get()))
            .line();
        continue;
      }
      change.before().ifPresent(value -> block(text, "- ", change.path(), value));
      change.after().ifPresent(value -> block(text, "+ ", change.path(), value));
    }
    return text;
  }

  private void block(TerminalText text, String sign, String path, Value value) {
    var yaml = YamlText.write(value).stripTrailing();
    if (!yaml.contains("\n") && !(value instanceof Value.Mapping)) {
      line(text, sign, path + ": " + yaml);
      return;
    }
    line(text, sign, path + ":");
    yaml.lines().forEach(line -> line(text, sign, "  " + line));
  }

  private void line(TerminalText text, String sign, String line) {
    var whole = sign + line;
    text.append(INDENT)
        .append(sign.startsWith("+") ? textStyle.green(whole) : textStyle.red(whole))
        .line();
  }

  private static Optional<String> oneLine(Optional<Value> value) {
    return value
        .filter(v -> !(v instanceof Value.Mapping) && !(v instanceof Value.Sequence))
        .map(v -> YamlText.write(v).strip())
        .filter(text -> text.length() <= LONGEST_LINE && !text.contains("\n"));
  }
}
