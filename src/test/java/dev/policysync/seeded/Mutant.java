package dev.policysync.seeded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A defect of the agent, made by hand, that breaks one promise of `docs/safety.md`. A file of
/// `src/test/mutants` has it in the form
///
/// ```
/// Promise 5: prune: disabled is not looked at.
/// Finder: StateMachineIT
///
/// @@ src/main/java/dev/policysync/plan/Removals.java
///  a line that stays
/// -a line that goes
/// +a line that comes
/// ```
///
/// which is a patch without line numbers: what stays and goes is to be there exactly once, so that
/// it can be applied whatever else changes in a file, and without git.
///
/// @param name of its file: `25-prune-disabled-is-not-looked-at`
/// @param promise its number
/// @param says what is wrong
/// @param finder the test that finds it, or why none of those that play at random can
record Mutant(String name, int promise, String says, String finder, List<Change> changes) {
  private static final Path FOLDER = Path.of("src", "test", "mutants");
  private static final Pattern PROMISE = Pattern.compile("Promise (\\d+): (.+)");
  private static final Pattern FINDER = Pattern.compile("Finder: (.+)");

  /// Whole lines of a file, and what stands in their place.
  ///
  /// @param file from the project's root
  record Change(Path file, String old, String fresh) {
    /// Why it cannot be applied to that text; empty where it can.
    Optional<String> objection(String text) {
      var first = text.indexOf("\n" + old);
      if (first < 0) {
        return Optional.of(file + " does not have these lines:\n" + old);
      }
      return text.indexOf("\n" + old, first + 1) < 0
          ? Optional.empty()
          : Optional.of(file + " has these lines more than once:\n" + old);
    }
  }

  /// All of them.
  ///
  /// @param root of the project
  static List<Mutant> all(Path root) throws IOException {
    try (var files = Files.list(root.resolve(FOLDER))) {
      var mutants = new ArrayList<Mutant>();
      for (var file : files.sorted().toList()) {
        mutants.add(read(file));
      }
      return List.copyOf(mutants);
    }
  }

  private static Mutant read(Path file) throws IOException {
    var name = file.getFileName().toString().replace(".patch", "");
    var parts = Files.readString(file).split("(?m)^@@ ");
    var header = parts[0].lines().toList();
    var promise = PROMISE.matcher(header.getFirst());
    var finder = FINDER.matcher(header.size() < 2 ? "" : header.get(1));
    if (!promise.matches() || !finder.matches() || parts.length < 2) {
      throw new IOException(file + " has no lines `Promise N: …`, `Finder: …` and `@@ FILE`");
    }
    return new Mutant(
        name,
        Integer.parseInt(promise.group(1)),
        promise.group(2),
        finder.group(1),
        Stream.of(parts).skip(1).map(Mutant::change).toList());
  }

  private static Change change(String text) {
    var lines = text.lines().filter(line -> !line.isEmpty()).toList();
    return new Change(Path.of(lines.getFirst().strip()), without('+', lines), without('-', lines));
  }

  private static String without(char sign, List<String> lines) {
    return lines.stream()
        .skip(1)
        .filter(line -> line.charAt(0) != sign)
        .map(line -> line.substring(1) + "\n")
        .reduce("", String::concat);
  }

  /// Writes the files that it changes below that folder, as they are with it.
  ///
  /// @return the files
  /// @throws IOException if it does not fit any more
  List<Path> write(Path root, Path folder) throws IOException {
    var texts = new TreeMap<Path, String>();
    for (var change : changes) {
      var text = texts.getOrDefault(change.file(), Files.readString(root.resolve(change.file())));
      var objection = change.objection(text);
      if (objection.isPresent()) {
        throw new IOException(name + ": " + objection.get());
      }
      texts.put(change.file(), text.replace("\n" + change.old(), "\n" + change.fresh()));
    }
    var files = new ArrayList<Path>();
    for (var text : texts.entrySet()) {
      var file = folder.resolve(text.getKey());
      Files.createDirectories(folder.resolve(text.getKey()).resolveSibling(""));
      files.add(Files.writeString(file, text.getValue()));
    }
    return files;
  }
}
