package dev.policysync.sync.succession;

import dev.policysync.base.Value;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Successors;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Refusal;
import dev.policysync.sync.analysis.PolicyConversion.Successor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds reasons not to apply the successors of a policy in this cluster. A policy and the
/// exceptions that name it are converted together or not at all.
final class Objections {
  private static final Optional<Value> NO = Optional.of(new Value.Bool(false));

  private final ExpectedPolicies expected;
  private final Map<PolicyId, Policy> written = new HashMap<>();
  private final Cluster cluster;
  private final Exemptions exemptions;

  /// @param expected the policies as written in the feed
  Objections(ExpectedPolicies expected, Cluster cluster, Exemptions exemptions) {
    this.expected = expected;
    expected.policies().forEach(policy -> written.put(policy.id(), policy));
    this.cluster = cluster;
    this.exemptions = exemptions;
  }

  /// Returns the conversions, refused if there is an objection.
  List<PolicyConversion> to(List<PolicyConversion> conversions) {
    var judged = refused(conversions, this::toNames);
    while (true) {
      var converted =
          judged.stream()
              .filter(PolicyConversion::converted)
              .map(PolicyConversion::policy)
              .collect(Collectors.toSet());
      var staying = exemptions.staying(expected, cluster, converted);
      var next = refused(judged, (_, policy) -> toCompany(policy, converted, staying));
      if (next.equals(judged)) {
        return judged;
      }
      judged = next;
    }
  }

  private List<PolicyConversion> refused(
      List<PolicyConversion> conversions,
      BiFunction<PolicyConversion, Policy, Optional<Refusal>> objection) {
    return conversions.stream()
        .map(conversion ->
            Optional.ofNullable(written.get(conversion.policy()))
                .filter(_ -> conversion.converted())
                .flatMap(policy -> objection.apply(conversion, policy))
                .map(conversion::refusing)
                .orElse(conversion))
        .toList();
  }

  private Optional<Refusal> toNames(PolicyConversion conversion, Policy policy) {
    if (policy.content().mapping("spec").field("background").equals(NO)) {
      return refusal(
          policy,
          "a policy without background scans",
          "there are no reports to compare; convert it with policy-sync convert --verify");
    }
    for (var successor : conversion.successors()) {
      var id = successor.id();
      if (written.containsKey(id)) {
        return refusal(
            policy,
            "a policy whose successor's name the feed has already",
            "remove one of the two, this one or " + id);
      }
      if (cluster.policy(id).filter(there -> !isSuccessor(there, policy.id())).isPresent()) {
        return refusal(
            policy,
            "a policy whose successor's name is taken in the cluster",
            "rename one of the two, this one or " + id);
      }
      var unlisted = unlisted(id.kind(), policy.id());
      if (unlisted.isPresent()) {
        return refusal(policy, "a policy whose successor's kind is not synced", unlisted.get());
      }
    }
    return cluster.policy(policy.id()).flatMap(_ -> toPause(conversion, policy));
  }

  /// Returns an objection if a person paused the policy or a successor beside it: nothing begins to
  /// block then.
  private Optional<Refusal> toPause(PolicyConversion conversion, Policy policy) {
    return Stream.concat(
            Stream.of(policy.id()), conversion.successors().stream().map(Successor::id))
        .filter(id -> cluster.policy(id).flatMap(there -> there.liveStatus().pause()).isPresent())
        .findFirst()
        .flatMap(id ->
            refusal(
                policy,
                "a policy that is left alone",
                "remove the annotation policysync.dev/reconcile from " + id));
  }

  /// Returns why nothing would be known of a successor of this kind. Where the policy is gone, it
  /// may be replaced already, by successors that cannot be listed now.
  private Optional<String> unlisted(PolicyKind kind, PolicyId legacy) {
    return switch (cluster.listing(kind)) {
      case Listing.Listed _ -> Optional.empty();
      case Listing.Absent(var reason) -> Optional.of(reason);
      case Listing.Excluded() -> Optional.of(kind.label() + " is in EXCLUDE_KINDS");
      case Listing.Unlistable(var failure) -> cluster.policy(legacy).map(_ -> failure.reason());
    };
  }

  /// Returns whether an agent made it from the policy, whichever source applied it.
  private boolean isSuccessor(LivePolicy there, PolicyId policy) {
    return cluster.isApplied(there)
        && Successors.of(there).filter(made -> made.legacy().equals(policy)).isPresent();
  }

  private Optional<Refusal> toCompany(
      Policy policy, Set<PolicyId> converted, Map<String, PolicyDependency> staying) {
    if (!Exemptions.isException(policy.id().kind())) {
      return staying.entrySet().stream()
          .filter(exception -> exception.getValue().serves(policy.id(), Value.Mapping.EMPTY))
          .map(Map.Entry::getKey)
          .findFirst()
          .flatMap(exception ->
              refusal(
                  policy,
                  "a policy with an exception",
                  exception + " does not exempt from its successors; write both by hand"));
    }
    var exemption = Exemptions.of(policy);
    return written.keySet().stream()
        .filter(id -> id.kind().endsWithKyverno119() && !converted.contains(id))
        .filter(id -> exemption.serves(id, Value.Mapping.EMPTY))
        .sorted()
        .findFirst()
        .flatMap(id ->
            refusal(
                policy,
                "an exception that names a policy without a successor",
                "it stays while " + id + " does; write both by hand"));
  }

  private static Optional<Refusal> refusal(Policy policy, String construct, String advice) {
    return Optional.of(new Refusal("", policy.position(), construct, advice));
  }
}
