package dev.policysync.sync.succession;

import dev.policysync.base.Parallel;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
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
  private final Map<ObjectVersion, Instant> since = new HashMap<>();
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

  /// The comparison of all rehearsals.
  ///
  /// @param silent the policies without any result in a report, while it is unknown whether reports
  ///   are created
  record Compared(Result result, Map<PolicyId, Instant> overAt, Instant now, Set<PolicyId> silent) {
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
      var over = overAt.get(candidate.id());
      return over == null || now.isBefore(over)
          ? wait("verdicts agree; the rehearsal ends " + (over == null ? "later" : over))
          : Optional.empty();
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
            .filter(there -> !since.containsKey(there.objectVersion()))
            .toList();
    Parallel.map(unknown, concurrency, "reading rehearsed policies", this::since)
        .forEach((there, time) -> since.put(there.objectVersion(), time));
    var begun = new HashMap<PolicyId, Instant>();
    var rehearsals = askable.stream().map(candidate -> rehearsal(candidate, begun)).toList();
    var known = answer;
    if (known != null && rehearsals.equals(asked)) {
      return known;
    }
    var result =
        rehearsals.isEmpty() ? new Result.Reported(Map.of(), Optional.empty()) : ask(rehearsals);
    var over = new HashMap<PolicyId, Instant>();
    begun.forEach((policy, time) -> over.put(policy, time.plus(length)));
    var compared = new Compared(result, over, clock.instant(), silent(result, begun));
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

  private Rehearsal rehearsal(Candidate candidate, Map<PolicyId, Instant> begun) {
    var legacy = candidate.legacy().orElseThrow();
    var successors =
        candidate.successors().stream()
            .map(member -> {
              var there = member.there().orElseThrow();
              return new Successor(there.id(), known(there), member.successor().rule());
            })
            .toList();
    var last =
        successors.stream()
            .map(Successor::since)
            .reduce(known(legacy), (one, other) -> one.isAfter(other) ? one : other);
    begun.put(candidate.id(), last);
    return new Rehearsal(legacy.id(), known(legacy), successors);
  }

  private Instant known(LivePolicy there) {
    return Optional.ofNullable(since.get(there.objectVersion())).orElseThrow();
  }

  /// Returns since when the policy has its current content. If that is unknown, each run uses the
  /// current time.
  private Instant since(LivePolicy there) {
    return store
        .read(there.id())
        .map(object -> object.mapping("metadata"))
        .flatMap(WriteTime::ofOurs)
        .orElseGet(clock::instant);
  }
}
