package dev.policysync.realkyverno;

import dev.policysync.policy.Digest;
import dev.policysync.testcluster.Rounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The proofs of one test class that passed, each with the digest of all that it depends on. A
/// proof is not run again until its digest changes, apart from the day's sample: without one,
/// nobody would notice if a digest left something out. `make proofs` writes the record; a normal
/// run only reads it.
final class ProofRecord {
  /// A proof is in the sample of one day in so many.
  static final int DAYS = 20;

  private static final Path FOLDER = Path.of("src", "test", "resources", "convert", "proofs");

  /// How a run uses the record.
  enum Use {
    IGNORED,
    READ,
    RENEWED;

    /// A folder of other policies has no record, and `make torture` proves everything.
    private static Use ofThisRun() {
      if (Rounds.isTorture() || !System.getProperty("policysync.convert.policies", "").isEmpty()) {
        return IGNORED;
      }
      return System.getProperty("policysync.proofs", "").equals("renew") ? RENEWED : READ;
    }
  }

  private final Path file;
  private final Use use;
  private final Map<String, Digest> recorded;
  private final Set<String> sample;
  private final Map<String, Digest> passed = new TreeMap<>();

  ProofRecord(Path file, Use use, LocalDate today) {
    this.file = file;
    this.use = use;
    this.recorded = read(file);
    this.sample = sample(List.copyOf(recorded.keySet()), today);
  }

  /// Returns the record of a test class.
  static ProofRecord of(Class<?> test) {
    var file = FOLDER.resolve(test.getSimpleName() + ".txt");
    return new ProofRecord(file, Use.ofThisRun(), LocalDate.now(ZoneOffset.UTC));
  }

  /// Runs the proof, unless it is recorded and not in the day's sample.
  ///
  /// @param name the name of the proof, which no other proof of the test class has
  /// @param inputs the digest of all that the proof depends on
  /// @param proof throws if it fails
  void prove(String name, Digest inputs, Runnable proof) {
    if (use == Use.IGNORED || !isRecorded(name, inputs) || sample.contains(name)) {
      proof.run();
    }
    add(name, inputs);
  }

  /// Removes the proofs that no longer exist from the record if it is renewed, and otherwise says
  /// how many proofs it lacks, which each run pays for.
  synchronized void end() {
    if (use == Use.RENEWED) {
      recorded.keySet().retainAll(passed.keySet());
      write();
    }
    var lacking =
        passed.entrySet().stream()
            .filter(proof -> !isRecorded(proof.getKey(), proof.getValue()))
            .count();
    if (use == Use.READ && lacking > 0) {
      System.out.println(file.getFileName() + " lacks " + lacking + " proofs: make proofs");
    }
  }

  private synchronized boolean isRecorded(String name, Digest inputs) {
    return inputs.equals(recorded.get(name));
  }

  /// Returns every twentieth name, beginning with another one each day: the sample is the same in
  /// all runs of a day, and proofs with similar names, which take similarly long, are in different
  /// samples.
  private static Set<String> sample(List<String> names, LocalDate today) {
    var first = Math.floorMod(today.toEpochDay(), DAYS);
    return IntStream.range(0, names.size())
        .filter(number -> number % DAYS == first)
        .mapToObj(names::get)
        .collect(Collectors.toSet());
  }

  private synchronized void add(String name, Digest inputs) {
    if (passed.put(name, inputs) != null && use != Use.IGNORED) {
      throw new IllegalStateException("two proofs have the name " + name);
    }
    if (use == Use.RENEWED && !inputs.equals(recorded.put(name, inputs))) {
      write();
    }
  }

  private void write() {
    var lines =
        recorded.entrySet().stream()
            .map(proof -> proof.getKey() + " " + proof.getValue() + "\n")
            .collect(Collectors.joining());
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Digest> read(Path file) {
    var proofs = new TreeMap<String, Digest>();
    if (!Files.exists(file)) {
      return proofs;
    }
    try {
      for (var line : Files.readAllLines(file)) {
        var end = line.lastIndexOf(' ');
        proofs.put(line.substring(0, end), new Digest(line.substring(end + 1)));
      }
      return proofs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
