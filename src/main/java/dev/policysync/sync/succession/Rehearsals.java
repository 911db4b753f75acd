package dev.policysync.sync.succession;

import dev.policysync.base.Parallel;
import dev.policysync.base.Value;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.Propagation;
import dev.policysync.plan.managedfields.WriteTime;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
import dev.policysync.policy.Rehearsal.Found;
import dev.policysync.policy.Rehearsal.Successor;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.sync.analysis.Defect;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.RehearsalSource;
import dev.policysync.sync.analysis.RehearsalSource.Result;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides whether policy reports show that successors give the same verdicts as the policy beside
/// them, and for long enough. A run reads the reports once for the same policies.
public final class Rehearsals {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsals.class);
  private final PolicyStore store;
  private final RehearsalSource reports;
  private final ExecutionSource executionSource;
  private final Duration length;
  private final Clock clock;
  private final int concurrency;
  private final Map<ObjectVersion, Read> read = new HashMap<>();
  private List<Rehearsal> asked = List.of();
  private @Nullable Compared answer;

  /// @param store reads since when a policy has its current content
  /// @param executionSource reads whether there can be reports about the policies
  /// @param length the minimum time for which the successors have to exist: long enough for each
  ///   resource to be scanned
  public Rehearsals(
      PolicyStore store,
      RehearsalSource reports,
      ExecutionSource executionSource,
      Duration length,
      Clock clock,
      int concurrency) {
    this.store = store;
    this.reports = reports;
    this.executionSource = executionSource;
    this.length = length;
    this.clock = clock;
    this.concurrency = concurrency;
  }

  /// Why a rehearsal is not over.
  ///
  /// @param differs whether verdicts differ, which time alone does not change
  record Objection(String reason, boolean differs) {}

  /// What an object shows of its current content.
  ///
  /// @param since since when it has this content. If that is unknown, each run uses the current
  ///   time
  /// @param early whether Kyverno may not know this content yet, even if it reports the policy as
  ///   ready: the status may be of the content before. Kyverno 1.19 does not say of which one it
  ///   is, and gets as much time then as it needs to learn of a change
  private record Read(Instant since, boolean early) {}

  /// The comparison of all rehearsals.
  ///
  /// @param silent the policies without any result in a report, while it is unknown whether reports
  ///   are created
  /// @param early the successors of whose current form Kyverno's status does not speak yet
  /// @param executesLegacy whether this Kyverno executes the policies that have successors
  record Compared(
      Result result,
      Map<PolicyId, Instant> overAt,
      Instant now,
      Set<PolicyId> silent,
      Set<PolicyId> early,
      boolean executesLegacy) {
    static final Compared NONE =
        new Compared(
            new Result.Reported(Map.of(), Optional.empty()),
            Map.of(),
            Instant.EPOCH,
            Set.of(),
            Set.of(),
            true);

    /// Returns whether the successors have rehearsed for long enough.
    boolean rested(PolicyId policy) {
      var over = overAt.get(policy);
      return over != null && !now.isBefore(over);
    }

    /// Returns why the successors may not replace the policy; empty if they may.
    Optional<Objection> objection(Candidate candidate) {
      return switch (result) {
        case Result.Unavailable(var why) -> wait("reports could not be read: " + why);
        case Result.Reported(var comparisons, _) ->
            Optional.ofNullable(comparisons.get(candidate.id()))
                .map(comparison -> objection(candidate, comparison))
                .orElseGet(() -> wait("reports say nothing of it"));
      };
    }

    /// Returns what a comparison objects to. A difference counts even if other results are missing.
    private Optional<Objection> objection(Candidate candidate, Comparison comparison) {
      var differing = comparison.differing();
      if (differing.resources() > 0) {
        return Optional.of(new Objection("verdicts differ for " + listed(differing), true));
      }
      if (comparison.missing().resources() > 0) {
        return wait("waits for reports on " + listed(comparison.missing()));
      }
      if (silent.contains(candidate.id())) {
        return wait("no report has a result since its rehearsal began");
      }
      return rested(candidate.id())
          ? Optional.empty()
          : wait("verdicts agree; the rehearsal ends " + overAt.get(candidate.id()));
    }

    private static Optional<Objection> wait(String reason) {
      return Optional.of(new Objection(reason, false));
    }

    private static String listed(Found found) {
      var count = found.resources() == 1 ? "1 resource" : found.resources() + " resources";
      return count + ": " + String.join(", ", found.names());
    }
  }

  /// Compares the candidates with their successors.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if a policy could not be read
  Compared of(Collection<Candidate> candidates) {
    var askable =
        candidates.stream()
            .filter(Candidate::askable)
            .sorted(Comparator.comparing(Candidate::id))
            .toList();
    var unknown =
        askable.stream()
            .flatMap(Candidate::there)
            .filter(there -> !read.containsKey(there.objectVersion()))
            .distinct()
            .toList();
    Parallel.map(unknown, concurrency, "reading rehearsed policies", this::read)
        .forEach((there, content) -> read.put(there.objectVersion(), content));
    var begun = new HashMap<PolicyId, Instant>();
    askable.forEach(candidate -> begun.put(candidate.id(), begun(candidate)));
    var rehearsals = askable.stream().map(this::rehearsal).toList();
    var known = answer;
    if (known != null && rehearsals.equals(asked)) {
      return known;
    }
    var result =
        rehearsals.isEmpty() ? new Result.Reported(Map.of(), Optional.empty()) : ask(rehearsals);
    var over = new HashMap<PolicyId, Instant>();
    begun.forEach((policy, time) -> over.put(policy, time.plus(length)));
    var compared =
        new Compared(
            result,
            over,
            clock.instant(),
            silent(result, begun),
            askable.stream()
                .flatMap(candidate -> candidate.successors().stream())
                .flatMap(member -> member.there().stream())
                .filter(there -> content(there).early())
                .map(LivePolicy::id)
                .collect(Collectors.toSet()),
            candidates.isEmpty() || executesLegacyKinds());
    asked = rehearsals;
    answer = compared;
    return compared;
  }

  /// Reads the reports. A bug there does not end the run: the rehearsals stay at their step, with
  /// the bug as the reason.
  private Result ask(List<Rehearsal> rehearsals) {
    try {
      return reports.of(rehearsals);
    } catch (RuntimeException e) {
      return new Result.Unavailable(Defect.text(e));
    }
  }

  /// Returns the policies whose rehearsal has no result that proves anything. A policy that matches
  /// no resource has no results. But if no policy at all had a result since the rehearsal began,
  /// reports may not be created. The set is empty if this Kyverno does not execute the legacy
  /// policies, because there is nothing to compare with.
  private Set<PolicyId> silent(Result result, Map<PolicyId, Instant> begun) {
    if (!(result instanceof Result.Reported(var comparisons, var latest))) {
      return Set.of();
    }
    var silent =
        begun.entrySet().stream()
            .filter(rehearsal ->
                Optional.ofNullable(comparisons.get(rehearsal.getKey()))
                    .filter(Comparison::isEmpty)
                    .isPresent())
            .filter(rehearsal ->
                latest.filter(time -> !time.isBefore(bySecond(rehearsal.getValue()))).isEmpty())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    return silent.isEmpty() || !executesLegacyKinds() ? Set.of() : silent;
  }

  /// Returns the time in whole seconds, as in reports.
  private static Instant bySecond(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  private boolean executesLegacyKinds() {
    try {
      return executionSource.installed().map(KyvernoVersion::executesLegacyKinds).orElse(true);
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Kyverno's release unknown");
      return true;
    }
  }

  /// Returns since when a policy is rehearsed: since the last change of the policy, of an exception
  /// from it, or of a successor. A successor that has the policy's action is no rehearsal any more.
  private Instant begun(Candidate candidate) {
    var rehearsing =
        candidate.successors().stream().filter(it -> it.form() == Move.Form.REHEARSING).toList();
    var members = rehearsing.isEmpty() ? candidate.successors() : rehearsing;
    return latest(
        Stream.concat(
            candidate.originals(), members.stream().flatMap(member -> member.there().stream())));
  }

  private Rehearsal rehearsal(Candidate candidate) {
    var legacy = latest(candidate.originals());
    var exempted = latest(candidate.exceptions().stream());
    var successors =
        candidate.successors().stream()
            .map(member -> {
              var there = member.there().orElseThrow();
              var since = since(there);
              return new Successor(
                  there.id(),
                  since.isAfter(exempted) ? since : exempted,
                  member.successor().rule());
            })
            .toList();
    return new Rehearsal(candidate.id(), legacy, successors);
  }

  private Instant latest(Stream<LivePolicy> policies) {
    return policies.map(this::since).max(Comparator.naturalOrder()).orElse(Instant.MIN);
  }

  private Instant since(LivePolicy there) {
    return content(there).since();
  }

  private Read content(LivePolicy there) {
    return Optional.ofNullable(read.get(there.objectVersion())).orElseThrow();
  }

  private Read read(LivePolicy there) {
    var object = store.read(there.id()).orElse(Value.Mapping.EMPTY);
    var metadata = object.mapping("metadata");
    var since = WriteTime.ofOurs(metadata);
    var early =
        object.mapping("status").mapping("conditionStatus").mappings("conditions").stream()
            .flatMap(condition -> condition.field("observedGeneration").stream())
            .map(generation -> metadata.field("generation").filter(generation::equals).isEmpty())
            .reduce(Boolean::logicalOr)
            .orElseGet(() -> !new Propagation(clock.instant(), since).reachedChanges());
    return new Read(since.orElseGet(clock::instant), early);
  }
}
