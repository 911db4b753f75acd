package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Lists all rules of lint. A new hazard needs a class, a line here, and examples below
/// `src/test/resources/lint`, from which its documentation page is made.
public final class Catalogue {
  private Catalogue() {}

  /// Returns all rules, in the order of their ids.
  public static List<Rule> rules() {
    return List.of(
        new VerifyImagesOnControllers(),
        new MovedFields(),
        new DeprecatedApiVersion(),
        new DeprecatedKind(),
        new SystemNamespaces(),
        new FailClosed(),
        new WildcardKind(),
        new BackgroundUserVariables(),
        new RuleNames(),
        new GenerateLoop(),
        new GenerateTarget(),
        new GenerateWithoutSynchronize(),
        new ForgottenContainers(),
        new UnboundAdmissionPolicy(),
        new NoValidationActions(),
        new Deletion(),
        new AdmissionLockout(),
        new SeverityAnnotation(),
        new ExceptionTarget(),
        new CelSyntax(),
        new DeprecatedOperators(),
        new LegacyMatch(),
        new AuditedDigest(),
        new DigestDemanded(),
        new SlowImages(),
        new ExistingObjects(),
        new ExternalCalls(),
        new SharedName(),
        new NotScored(),
        new EveryOperation(),
        new LongName(),
        new MatchConditions(),
        new IneffectiveSettings(),
        new EveryImage(),
        new Overrides(),
        new NeverEvaluated(),
        new MissingVariable(),
        new LowerCaseAction(),
        new NamespaceFit(),
        new SchemaFit(),
        new RuleActions(),
        new Filters(),
        new Conditions(),
        new PolicySettings(),
        new BackgroundSubresource(),
        new PodSecurityExcludes(),
        new VerifyImagesEntries(),
        new ContextEntries(),
        new UnknownVariable(),
        new JmesPathSyntax(),
        new Patches(),
        new MatchConstraintsRequired(),
        new CelUnknownName(),
        new CelTypesFit(),
        new MisspeltKind());
  }

  /// Returns all hazards in the order of their ids, including hazards without a rule.
  public static List<Hazard> hazards() {
    return Stream.concat(Linter.ownHazards().stream(), rules().stream().map(Rule::hazard))
        .sorted(Comparator.comparing(Hazard::id))
        .toList();
  }
}
