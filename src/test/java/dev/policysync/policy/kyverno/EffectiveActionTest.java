package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.EffectiveAction.ActionOverride;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In which namespaces a policy with overrides blocks, and where it is stricter than another.
class EffectiveActionTest {
  private static final Optional<Value> LABELS = Optional.of(Value.Mapping.EMPTY);

  @ParameterizedTest
  @CsvSource({
    "shop, shop, true",
    "shop, shop-2, false",
    "shop, my-shop, false",
    "kube-*, kube-system, true",
    "kube-*, kube-, true",
    "*-system, kube-system, true",
    "shop-?, shop-1, true",
    "shop-?, shop-, false",
    "shop-?, shop-12, false",
    "a.b, axb, false",
    "*, shop, true",
    "*, '', true",
    "?*, '', false",
  })
  void anOverrideHoldsWhereItsPatternMatches(String pattern, String namespace, boolean matches) {
    var effectiveAction = new EffectiveAction(List.of(enforce(pattern)), false);

    assertThat(effectiveAction.in(namespace))
        .isEqualTo(matches ? EnforcementLevel.YES : EnforcementLevel.NO);
  }

  @Test
  void theFirstOverrideThatMatchesDecides() {
    var effectiveAction =
        new EffectiveAction(List.of(audit("kube-*"), enforce("kube-system", "shop")), false);

    assertThat(effectiveAction.in("kube-system")).isEqualTo(EnforcementLevel.NO);
    assertThat(effectiveAction.in("shop")).isEqualTo(EnforcementLevel.YES);
    assertThat(effectiveAction.in("pay")).isEqualTo(EnforcementLevel.NO);
    assertThat(new EffectiveAction(effectiveAction.overrides(), true).in("pay"))
        .isEqualTo(EnforcementLevel.YES);
  }

  @Test
  void nobodyKnowsWhereAnOverrideByLabelsHolds() {
    var enforce = new ActionOverride(true, List.of(), LABELS);
    var audit = new ActionOverride(false, List.of(), LABELS);

    assertThat(new EffectiveAction(List.of(enforce), false).in("shop"))
        .isEqualTo(EnforcementLevel.PERHAPS);
    assertThat(new EffectiveAction(List.of(audit), true).in("shop"))
        .isEqualTo(EnforcementLevel.PERHAPS);
    assertThat(new EffectiveAction(List.of(enforce), true).in("shop"))
        .isEqualTo(EnforcementLevel.YES);
    assertThat(new EffectiveAction(List.of(audit), false).in("shop"))
        .isEqualTo(EnforcementLevel.NO);
    assertThat(new EffectiveAction(List.of(enforce, audit("shop")), true).in("shop"))
        .isEqualTo(EnforcementLevel.PERHAPS);
    assertThat(new EffectiveAction(List.of(audit, enforce("shop")), false).in("shop"))
        .isEqualTo(EnforcementLevel.PERHAPS);
  }

  @Test
  void anOverrideByLabelsHoldsInNoNamespaceThatItDoesNotName() {
    var effectiveAction =
        new EffectiveAction(List.of(new ActionOverride(true, List.of("shop"), LABELS)), false);

    assertThat(effectiveAction.in("shop")).isEqualTo(EnforcementLevel.PERHAPS);
    assertThat(effectiveAction.in("pay")).isEqualTo(EnforcementLevel.NO);
  }

  /// `matchOverride` in Kyverno 1.19: "both nil means the override applies to all namespaces".
  @Test
  void anOverrideThatNamesNoNamespaceHoldsInAll() {
    assertThat(new EffectiveAction(List.of(enforce()), false).in("shop"))
        .isEqualTo(EnforcementLevel.YES);
    assertThat(new EffectiveAction(List.of(audit(), enforce("shop")), true).in("shop"))
        .isEqualTo(EnforcementLevel.NO);
  }

  @Test
  void whatANamespaceSeesOfAnActionHoldsEverywhereInIt() {
    var effectiveAction = new EffectiveAction(List.of(enforce("shop")), false);
    var byLabels = new EffectiveAction(List.of(new ActionOverride(true, List.of(), LABELS)), false);

    assertThat(effectiveAction.within(Optional.of("shop"))).isEqualTo(EffectiveAction.BLOCKS);
    assertThat(effectiveAction.within(Optional.of("pay"))).isEqualTo(EffectiveAction.LETS_PASS);
    assertThat(effectiveAction.within(Optional.empty())).isEqualTo(effectiveAction);
    assertThat(byLabels.within(Optional.of("shop"))).isEqualTo(byLabels);
  }

  @Test
  void nothingIsStricterWhereItWasBlockedBefore() {
    var audit = EffectiveAction.LETS_PASS;
    var inShop = new EffectiveAction(List.of(enforce("shop")), false);
    var everywhere = EffectiveAction.BLOCKS;

    assertThat(new NamespaceScope(inShop, everywhere).includes("pay")).isTrue();
    assertThat(new NamespaceScope(inShop, everywhere).includes("shop")).isFalse();
    assertThat(new NamespaceScope(inShop, everywhere).text()).isEqualTo(" except in shop");
    assertThat(new NamespaceScope(everywhere, inShop).anywhere()).isFalse();
    assertThat(new NamespaceScope(inShop, inShop).anywhere()).isFalse();
    assertThat(new NamespaceScope(audit, inShop).text()).isEqualTo(" in shop");
    assertThat(new NamespaceScope(audit, everywhere).text()).isEmpty();
  }

  @Test
  void whatMayBeBlockedByLabelsIsStricterThanWhatIsNot() {
    var perhaps = new EffectiveAction(List.of(new ActionOverride(true, List.of(), LABELS)), false);

    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, perhaps).includes("shop")).isTrue();
    assertThat(new NamespaceScope(perhaps, EffectiveAction.BLOCKS).includes("shop")).isTrue();
    assertThat(new NamespaceScope(EffectiveAction.BLOCKS, perhaps).includes("shop")).isFalse();
    assertThat(new NamespaceScope(perhaps, perhaps).includes("shop")).isFalse();
    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, perhaps).text())
        .isEqualTo(" (depending on a namespaceSelector)");
    assertThat(new NamespaceScope(perhaps, EffectiveAction.BLOCKS).text())
        .isEqualTo(" (depending on a namespaceSelector)");
  }

  @Test
  void stricterForWhatLivesInNoNamespaceIsStricter() {
    var namespacedOnly = new EffectiveAction(List.of(audit("?*")), true);

    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, namespacedOnly).anywhere()).isTrue();
    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, namespacedOnly).includes("")).isTrue();
    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, namespacedOnly).includes("shop"))
        .isFalse();
  }

  @Test
  void aPatternIsNamedWhereOnlySomeOfItsNamespacesAreConcerned() {
    var butTheShortest = new EffectiveAction(List.of(audit("team-"), enforce("team-*")), false);
    var onlyTheShortest = new EffectiveAction(List.of(audit("team-?*"), enforce("team-*")), false);

    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, butTheShortest).text())
        .isEqualTo(" in team-*");
    assertThat(new NamespaceScope(EffectiveAction.LETS_PASS, onlyTheShortest).text())
        .isEqualTo(" in team-*");
  }

  @Test
  void namesFiveNamespacesAndCountsTheOthers() {
    var five = enforce("a", "b", "c", "d", "e");
    var seven = enforce("a", "b", "c", "d", "e", "f", "g");

    assertThat(
            new NamespaceScope(EffectiveAction.LETS_PASS, new EffectiveAction(List.of(five), false))
                .text())
        .isEqualTo(" in a, b, c, d, e");
    assertThat(
            new NamespaceScope(
                    EffectiveAction.LETS_PASS, new EffectiveAction(List.of(seven), false))
                .text())
        .isEqualTo(" in a, b, c, d, e and 2 more");
  }

  private static ActionOverride enforce(String... namespaces) {
    return new ActionOverride(true, List.of(namespaces), Optional.empty());
  }

  private static ActionOverride audit(String... namespaces) {
    return new ActionOverride(false, List.of(namespaces), Optional.empty());
  }
}
