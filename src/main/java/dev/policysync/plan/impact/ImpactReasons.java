package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.EffectiveAction;
import dev.policysync.policy.kyverno.NamespaceScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Collects the reasons why a write makes a policy stricter or milder.
final class ImpactReasons {
  private final List<ImpactReason> found = new ArrayList<>();

  List<ImpactReason> all() {
    return List.copyOf(found);
  }

  void add(Direction direction, Optional<String> rule, String text, ReportCoverage reportCoverage) {
    found.add(ImpactReason.of(direction, rule, text, reportCoverage));
  }

  /// Adds the reasons of a changed selection. If the policy blocked nothing before, reasons that
  /// allow more are left out.
  void addAll(ImpactReasons selection, boolean blockedBefore) {
    selection.found.stream()
        .filter(impactReason -> blockedBefore || impactReason.direction().mayTighten())
        .forEach(found::add);
  }

  void action(Optional<String> rule, EffectiveAction before, EffectiveAction after) {
    var stricter = new NamespaceScope(before, after);
    if (stricter.anywhere()) {
      var text = "Audit → Enforce" + stricter.text();
      found.add(new ImpactReason(Direction.TIGHTENS, rule, text, ReportCoverage.REPORTS, stricter));
    }
    var milder = new NamespaceScope(after, before);
    if (milder.anywhere()) {
      var text = "Enforce → Audit" + milder.text();
      found.add(new ImpactReason(Direction.LOOSENS, rule, text, ReportCoverage.NOT_NEEDED, milder));
    }
  }

  /// Adds the reasons of a changed selection of resources.
  ///
  /// @param what the name of the selection, such as `match`
  void width(Optional<String> rule, ScopeChange scopeChange, String what) {
    switch (scopeChange) {
      case SAME -> {}
      case WIDER ->
          add(Direction.TIGHTENS, rule, what + " matches more resources", ReportCoverage.NONE);
      case NARROWER ->
          add(
              Direction.LOOSENS,
              rule,
              what + " matches fewer resources",
              ReportCoverage.NOT_NEEDED);
      case BOTH -> {
        add(Direction.TIGHTENS, rule, what + " matches additional resources", ReportCoverage.NONE);
        add(
            Direction.LOOSENS,
            rule,
            what + " no longer matches some resources",
            ReportCoverage.NOT_NEEDED);
      }
      case CHANGED -> changed(rule, what);
    }
  }

  void exclusion(Optional<String> rule, ScopeChange scopeChange, String what) {
    switch (scopeChange) {
      case SAME -> {}
      case WIDER ->
          add(Direction.LOOSENS, rule, what + " matches more resources", ReportCoverage.NOT_NEEDED);
      case NARROWER ->
          add(Direction.TIGHTENS, rule, what + " matches fewer resources", ReportCoverage.NONE);
      case BOTH -> {
        add(
            Direction.TIGHTENS,
            rule,
            what + " no longer matches some resources",
            ReportCoverage.NONE);
        add(
            Direction.LOOSENS,
            rule,
            what + " matches additional resources",
            ReportCoverage.NOT_NEEDED);
      }
      case CHANGED -> changed(rule, what);
    }
  }

  /// Adds a change whose direction is unknown.
  void changed(Optional<String> rule, String what) {
    add(Direction.CHANGED, rule, what + " changed", ReportCoverage.NONE);
  }

  void changed(Optional<String> rule, String what, Value before, Value after) {
    if (!before.equals(after)) {
      changed(rule, what);
    }
  }

  /// Adds the reason of a changed failurePolicy, which decides about a request if an expression
  /// fails, a parameter is missing or Kyverno does not answer. The number of such requests cannot
  /// be known beforehand, and no policy report counts them.
  void failurePolicy(PolicyKind.Type type, Value.Mapping before, Value.Mapping after) {
    var failed = Admission.failsClosed(type, before);
    var fails = Admission.failsClosed(type, after);
    if (!failed && fails) {
      add(
          Direction.TIGHTENS,
          Optional.empty(),
          "failurePolicy Ignore → Fail: requests that cannot be evaluated are rejected",
          ReportCoverage.NONE);
    } else if (failed && !fails) {
      add(
          Direction.LOOSENS,
          Optional.empty(),
          "failurePolicy Fail → Ignore: requests that cannot be evaluated are allowed",
          ReportCoverage.NOT_NEEDED);
    }
  }
}
