package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.remote.cluster.ApiResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// The approvals on the Lease: annotations that a person sets, each with the digest of the list
/// that it approves.
///
/// Beside each approval, the agent keeps an annotation with the suffix `-since`, which records when
/// the approval was given: `sha256:2c26… 2026-11-21T03:00:00Z`. Managed fields are not enough: they
/// record when a manager last changed any of its fields, so another annotation by the same person
/// would make an approval look younger.
///
/// @param lease the response that contains the Lease, with the API server's time
record ApprovalAnnotations(ApiResponse lease) {
  private static final String SINCE = "-since";

  /// Returns the annotation's name for a list of removals, or of writes of stricter policies.
  static String name(Approval.Of what) {
    return switch (what) {
      case REMOVALS -> "policysync.dev/approve-removals";
      case ENFORCEMENT -> "policysync.dev/approve-enforcement";
    };
  }

  /// Returns an approval. Its age is measured with the API server's clock alone.
  Optional<Approval> approval(Approval.Of what) {
    return all()
        .text(name(what))
        .map(list -> new Approval(what, list, approvedAt(name(what)).flatMap(this::age)));
  }

  /// Returns all annotations, with a `-since` annotation for each approval, and without expired
  /// approvals.
  Value.Mapping withSinceAnnotations() {
    var noted = all();
    for (var what : Approval.Of.values()) {
      var annotation = name(what);
      var list = noted.text(annotation);
      var given = approvedAt(annotation);
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

  /// Returns all annotations without this approval. They are unchanged if the approval was removed
  /// or replaced by another one.
  Value.Mapping withoutApproval(Approval approval) {
    var annotation = name(approval.of());
    return all().text(annotation).equals(Optional.of(approval.list()))
        ? all().without(annotation).without(annotation + SINCE)
        : all();
  }

  Value.Mapping all() {
    return lease.body().mapping("metadata").mapping("annotations");
  }

  private Optional<Duration> age(Instant given) {
    return lease.time().map(now -> Duration.between(given, now));
  }

  private static boolean isVoid(Duration age) {
    return age.compareTo(Approval.VALID) >= 0;
  }

  /// Returns when the approval was written. Managed fields record when their manager last wrote. If
  /// there are several managers, the earliest time counts, and so does the `-since` annotation,
  /// which stays when they write again.
  private Optional<Instant> approvedAt(String annotation) {
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

  /// Returns the recorded time of exactly this approval.
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
