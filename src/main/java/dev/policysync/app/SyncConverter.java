package dev.policysync.app;

import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.convert.Refusal;
import dev.policysync.convert.WebhookLimit;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.execution.Cancellation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Converts policies for a sync. The result names positions, constructs and manual work, and quotes
/// nothing of a policy.
///
/// An internal error in one policy does not affect the others: that policy has no successor, and
/// the refusal says so. After a request to stop, no further policy is read and nothing is reported.
final class SyncConverter implements PolicyConverter {
  private static final int LONGEST_NAME = 63;

  private final BiFunction<LocatedPolicy, Map<PolicyId, Conversion>, Conversion> converter;
  private final Cancellation stop;
  private final WebhookLimit webhookLimit = new WebhookLimit();

  /// @param converter converts a policy, or an exception together with the conversions of the
  ///   policies that it names
  SyncConverter(
      BiFunction<LocatedPolicy, Map<PolicyId, Conversion>, Conversion> converter,
      Cancellation stop) {
    this.converter = converter;
    this.stop = stop;
  }

  /// Returns a converter that is created only if there is a policy to convert.
  static PolicyConverter until(Cancellation stop) {
    return (feed, inQuestion) ->
        inQuestion.isEmpty()
            ? List.of()
            : new SyncConverter(new Converter()::convert, stop).of(feed, inQuestion);
  }

  @Override
  public List<PolicyConversion> of(Feed feed, List<Policy> inQuestion) {
    var known = new HashMap<PolicyId, PolicyConversion>();
    var named = new HashMap<PolicyId, Conversion>();
    try {
      // The successors of an exception depend on the policies that it names.
      var exceptions = exceptions(feed, inQuestion);
      var wanted =
          exceptions.stream()
              .flatMap(exception -> Converter.namedPolicies(exception).stream())
              .collect(Collectors.toSet());
      var policies = ids(inQuestion, kind -> kind.role() != PolicyKind.Role.EXCEPTION);
      LocatedPolicy.forEach(
          feed.manifests(),
          policies,
          policy ->
              convert(policy, named, known)
                  .filter(_ -> wanted.contains(policy.id()))
                  .ifPresent(conversion -> named.put(policy.id(), conversion)));
      exceptions.forEach(exception -> convert(exception, named, known));
    } catch (CancellationException _) {
      return List.of();
    } catch (RuntimeException | StackOverflowError e) {
      InternalErrorMessage.log(e);
    }
    return inQuestion.stream()
        .map(policy ->
            Optional.ofNullable(known.get(policy.id()))
                .orElseGet(() -> unconverted(policy.id(), policy.position())))
        .toList();
  }

  private static List<LocatedPolicy> exceptions(Feed feed, List<Policy> inQuestion) {
    var ids = ids(inQuestion, kind -> kind.role() == PolicyKind.Role.EXCEPTION);
    var exceptions = new ArrayList<LocatedPolicy>();
    if (!ids.isEmpty()) {
      LocatedPolicy.forEach(feed.manifests(), ids, exceptions::add);
    }
    return exceptions;
  }

  private static Set<PolicyId> ids(List<Policy> policies, Predicate<PolicyKind> which) {
    return policies.stream()
        .map(Policy::id)
        .filter(id -> which.test(id.kind()))
        .collect(Collectors.toSet());
  }

  private Optional<Conversion> convert(
      LocatedPolicy policy,
      Map<PolicyId, Conversion> named,
      Map<PolicyId, PolicyConversion> known) {
    if (stop.reason().isPresent()) {
      throw new CancellationException("no more is read, either");
    }
    try {
      var conversion = webhookLimit.admit(converter.apply(policy, named));
      known.put(policy.id(), withoutPolicyText(conversion));
      return Optional.of(conversion);
    } catch (RuntimeException | StackOverflowError e) {
      InternalErrorMessage.log(e);
      known.put(policy.id(), unconverted(policy.id(), policy.position()));
      return Optional.empty();
    }
  }

  private static PolicyConversion unconverted(PolicyId policy, Position position) {
    return new PolicyConversion(
        policy,
        List.of(),
        List.of(
            new PolicyConversion.Refusal(
                "",
                position,
                "a policy that causes an internal error in policy-sync",
                "please report it, and write the successor by hand")));
  }

  private static PolicyConversion withoutPolicyText(Conversion conversion) {
    return new PolicyConversion(
        conversion.policy().id(),
        conversion.successors().stream()
            .map(successor ->
                new PolicyConversion.Successor(
                    successor.id(), successor.rule(), successor.manifest()))
            .toList(),
        conversion.refusals().stream().map(SyncConverter::withoutPolicyText).toList());
  }

  /// Returns the refusal without the rule's name if that name is not one that Kyverno accepts.
  private static PolicyConversion.Refusal withoutPolicyText(Refusal refusal) {
    return new PolicyConversion.Refusal(
        withoutPolicyText(refusal.rule()),
        refusal.position(),
        refusal.construct(),
        refusal.advice());
  }

  /// Returns the rule's name, or an empty text if Kyverno would not accept it as a name, because it
  /// may be any text.
  private static String withoutPolicyText(String rule) {
    return rule.length() <= LONGEST_NAME && rule.chars().noneMatch(Character::isISOControl)
        ? rule
        : "";
  }
}
