package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.remote.cluster.ApiResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// What people approve by annotations on the Lease: each holds the digest of the list that it
/// approves.
///
/// Behind the name of each is that of ours on since when it is there, `-since`: `sha256:2c26…
/// 2026-11-21T03:00:00Z`. Managed fields tell when their manager last changed any field of its own,
/// so another annotation by the same person would make an approval younger.
///
/// @param lease as it was read, and when
record ApprovalAnnotations(ApiResponse lease) {
  private static final String SINCE = "-since";

  /// The annotation of a list of removals, or of writes that begin to block.
  static String name(Approval.Of what) {
    return switch (what) {
      case REMOVALS -> "policysync.dev/approve-removals";
      case ENFORCEMENT -> "policysync.dev/approve-enforcement";
    };
  }

  /// What a person approves; how long since is told by the API server's clock at both ends.
  Optional<Approval> approval(Approval.Of what) {
    return all()
        .text(name(what))
        .map(list -> new Approval(what, list, given(name(what)).flatMap(this::age)));
  }

  /// All annotations with since when each approval is there, and without those that are void.
  Value.Mapping noted() {
    var noted = all();
    for (var what : Approval.Of.values()) {
      var annotation = name(what);
      var list = noted.text(annotation);
      var given = given(annotation);
      if (list.isEmpty()) {
        noted = noted.without(annotation + SINCE);
      } else if (given.flatMap(this::age).filter(ApprovalAnnotations::isVoid).isPresent()) {
        noted = noted.without(annotation).without(annotation + SINCE);
      } else if (given.isPresent()) {
        noted = noted.with(annotation + SINCE, new Value.Text(list.get() + " " + given.get()));
      }
    }
    return noted;
  }

  /// All annotations without that approval; all, where it is gone or another one is there.
  Value.Mapping using(Approval approval) {
    var annotation = name(approval.of());
    return all().text(annotation).equals(Optional.of(approval.list()))
        ? all().without(annotation).without(annotation + SINCE)
        : all();
  }

  /// All annotations as they are.
  Value.Mapping all() {
    return lease.body().mapping("metadata").mapping("annotations");
  }

  private Optional<Duration> age(Instant given) {
    return lease.time().map(now -> Duration.between(given, now));
  }

  private static boolean isVoid(Duration age) {
    return age.compareTo(Approval.VALID) >= 0;
  }

  /// When the approval was written: managed fields record when their owner wrote last. Of several
  /// owners the one who wrote first counts, and what a run noted before they wrote again.
  private Optional<Instant> given(String annotation) {
    var written =
        lease.body().mapping("metadata").mappings("managedFields").stream()
            .filter(entry -> owns(annotation, entry))
            .map(entry -> entry.text("time").flatMap(ApprovalAnnotations::time))
            .reduce((one, other) -> one.flatMap(a -> other.map(b -> earlier(a, b))))
            .flatMap(time -> time);
    return written.map(time -> since(annotation).map(noted -> earlier(time, noted)).orElse(time));
  }

  private static boolean owns(String annotation, Value.Mapping entry) {
    return entry
        .mapping("fieldsV1")
        .mapping("f:metadata")
        .mapping("f:annotations")
        .field("f:" + annotation)
        .isPresent();
  }

  /// Since when a run knows that very approval.
  private Optional<Instant> since(String annotation) {
    return all()
        .text(annotation)
        .flatMap(list ->
            all()
                .text(annotation + SINCE)
                .filter(noted -> noted.startsWith(list + " "))
                .flatMap(noted -> time(noted.substring(list.length() + 1))));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
