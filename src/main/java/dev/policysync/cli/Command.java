package dev.policysync.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The commands.
public enum Command {
  SYNC("make the cluster's policies equal to the expected ones (the default)"),
  DIFF("show what sync would change, field by field; nothing is written");

  private final String meaning;

  Command(String meaning) {
    this.meaning = meaning;
  }

  static List<Command> all() {
    return List.of(values());
  }

  static Optional<Command> named(String name) {
    return all().stream().filter(command -> command.text().equals(name)).findFirst();
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  String meaning() {
    return meaning;
  }
}
