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
import java.util.Objects;
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

  /// The comparison of the candidates that are [Candidate#askable()].
  ///
  /// @param begun since when each of them is rehearsed
  /// @param length the minimum time of a rehearsal
  /// @param early the successors of whose current form Kyverno's status does not speak yet
  /// @param executesLegacy whether this Kyverno executes the policies that have successors
  record Compared(
      Result result,
      Map<PolicyId, Instant> begun,
      Duration length,
      Instant now,
      Set<PolicyId> early,
      boolean executesLegacy) {
    /// Returns whether the successors have rehearsed for long enough.
    boolean rested(PolicyId policy) {
      var since = begun.get(policy);
      return since != null && !now.isBefore(since.plus(length));
    }

    /// Returns why the successors may not replace the policy; empty if they may.
    Optional<Objection> objection(PolicyId policy) {
      return switch (result) {
        case Result.Unavailable(var why) -> wait("reports could not be read: " + why);
        case Result.Reported(var comparisons, var latest) ->
            Optional.ofNullable(comparisons.get(policy))
                .map(comparison -> objection(policy, comparison, latest))
                .orElseGet(() -> wait("reports say nothing of it"));
      };
    }

    /// Returns what a comparison objects to. A difference counts even if other results are missing.
    private Optional<Objection> objection(
        PolicyId policy, Comparison comparison, Optional<Instant> latest) {
      if (comparison.differing().resources() > 0) {
        var reason = "verdicts differ for " + listed(comparison.differing());
        return Optional.of(new Objection(reason, true));
      }
      if (comparison.missing().resources() > 0) {
        return wait("waits for reports on " + listed(comparison.missing()));
      }
      var since = Objects.requireNonNull(begun.get(policy));
      if (comparison.isEmpty() && provesNothing(latest, since)) {
        return wait("no report has a result since its rehearsal began");
      }
      return rested(policy)
          ? Optional.empty()
          : wait("verdicts agree; the rehearsal ends " + since.plus(length));
    }

    /// Returns whether it proves nothing that a policy has no results. It proves that the policy
    /// matches no resource. But if no policy at all had a result since the rehearsal began, reports
    /// may not be created. If this Kyverno does not execute the legacy policies, there is nothing
    /// to compare with, and nothing to prove.
    ///
    /// @param latest when the newest result was made, in whole seconds, as reports have it
    private boolean provesNothing(Optional<Instant> latest, Instant begun) {
      return executesLegacy
          && latest.filter(time -> !time.isBefore(begun.truncatedTo(ChronoUnit.SECONDS))).isEmpty();
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
            .flatMap(it -> Stream.concat(it.originals(), it.liveSuccessors()))
            .filter(there -> !read.containsKey(there.objectVersion()))
            .distinct()
            .toList();
    Parallel.map(unknown, concurrency, "reading rehearsed policies", this::read)
        .forEach((there, content) -> read.put(there.objectVersion(), content));
    var rehearsals = askable.stream().map(this::rehearsal).toList();
    var known = answer;
    if (known != null && rehearsals.equals(asked)) {
      return known;
    }
    var compared =
        new Compared(
            rehearsals.isEmpty()
                ? new Result.Reported(Map.of(), Optional.empty())
                : ask(rehearsals),
            askable.stream().collect(Collectors.toMap(Candidate::id, this::begun)),
            length,
            clock.instant(),
            askable.stream()
                .flatMap(Candidate::liveSuccessors)
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
              var since = content(there).since();
              return new Successor(
                  there.id(),
                  since.isAfter(exempted) ? since : exempted,
                  member.successor().rule());
            })
            .toList();
    return new Rehearsal(candidate.id(), legacy, successors);
  }

  private Instant latest(Stream<LivePolicy> policies) {
    return policies
        .map(there -> content(there).since())
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  private Read content(LivePolicy there) {
    return Objects.requireNonNull(read.get(there.objectVersion()));
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
