package dev.policysync.impact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.impact.Ruling.Exemption;
import dev.policysync.yaml.Value;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In which namespaces a policy with overrides blocks, and where it is stricter than another.
class RulingTest {
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
    var ruling = new Ruling(List.of(enforce(pattern)), false);

    assertThat(ruling.in(namespace)).isEqualTo(matches ? Blocking.YES : Blocking.NO);
  }

  @Test
  void theFirstOverrideThatMatchesDecides() {
    var ruling = new Ruling(List.of(audit("kube-*"), enforce("kube-system", "shop")), false);

    assertThat(ruling.in("kube-system")).isEqualTo(Blocking.NO);
    assertThat(ruling.in("shop")).isEqualTo(Blocking.YES);
    assertThat(ruling.in("pay")).isEqualTo(Blocking.NO);
    assertThat(new Ruling(ruling.overrides(), true).in("pay")).isEqualTo(Blocking.YES);
  }

  @Test
  void nobodyKnowsWhereAnOverrideByLabelsHolds() {
    var enforce = new Exemption(true, List.of(), LABELS);
    var audit = new Exemption(false, List.of(), LABELS);

    assertThat(new Ruling(List.of(enforce), false).in("shop")).isEqualTo(Blocking.PERHAPS);
    assertThat(new Ruling(List.of(audit), true).in("shop")).isEqualTo(Blocking.PERHAPS);
    assertThat(new Ruling(List.of(enforce), true).in("shop")).isEqualTo(Blocking.YES);
    assertThat(new Ruling(List.of(audit), false).in("shop")).isEqualTo(Blocking.NO);
    assertThat(new Ruling(List.of(enforce, audit("shop")), true).in("shop"))
        .isEqualTo(Blocking.PERHAPS);
    assertThat(new Ruling(List.of(audit, enforce("shop")), false).in("shop"))
        .isEqualTo(Blocking.PERHAPS);
  }

  @Test
  void anOverrideByLabelsHoldsInNoNamespaceThatItDoesNotName() {
    var ruling = new Ruling(List.of(new Exemption(true, List.of("shop"), LABELS)), false);

    assertThat(ruling.in("shop")).isEqualTo(Blocking.PERHAPS);
    assertThat(ruling.in("pay")).isEqualTo(Blocking.NO);
  }

  @Test
  void anOverrideOfNoNamespaceHoldsNowhere() {
    assertThat(new Ruling(List.of(enforce()), false).in("shop")).isEqualTo(Blocking.NO);
  }

  @Test
  void whatANamespaceSeesOfARulingHoldsEverywhereInIt() {
    var ruling = new Ruling(List.of(enforce("shop")), false);
    var byLabels = new Ruling(List.of(new Exemption(true, List.of(), LABELS)), false);

    assertThat(ruling.within(Optional.of("shop"))).isEqualTo(Ruling.BLOCKS);
    assertThat(ruling.within(Optional.of("pay"))).isEqualTo(Ruling.LETS_PASS);
    assertThat(ruling.within(Optional.empty())).isEqualTo(ruling);
    assertThat(byLabels.within(Optional.of("shop"))).isEqualTo(byLabels);
  }

  @Test
  void nothingIsStricterWhereItWasBlockedBefore() {
    var audit = Ruling.LETS_PASS;
    var inShop = new Ruling(List.of(enforce("shop")), false);
    var everywhere = Ruling.BLOCKS;

    assertThat(new Reach(inShop, everywhere).includes("pay")).isTrue();
    assertThat(new Reach(inShop, everywhere).includes("shop")).isFalse();
    assertThat(new Reach(inShop, everywhere).text()).isEqualTo(" but in shop");
    assertThat(new Reach(everywhere, inShop).anywhere()).isFalse();
    assertThat(new Reach(inShop, inShop).anywhere()).isFalse();
    assertThat(new Reach(audit, inShop).text()).isEqualTo(" in shop");
    assertThat(new Reach(audit, everywhere).text()).isEmpty();
  }

  @Test
  void whatMayBeBlockedByLabelsIsStricterThanWhatIsNot() {
    var perhaps = new Ruling(List.of(new Exemption(true, List.of(), LABELS)), false);

    assertThat(new Reach(Ruling.LETS_PASS, perhaps).includes("shop")).isTrue();
    assertThat(new Reach(perhaps, Ruling.BLOCKS).includes("shop")).isTrue();
    assertThat(new Reach(Ruling.BLOCKS, perhaps).includes("shop")).isFalse();
    assertThat(new Reach(perhaps, perhaps).includes("shop")).isFalse();
    assertThat(new Reach(Ruling.LETS_PASS, perhaps).text())
        .isEqualTo(" (a namespaceSelector decides where)");
    assertThat(new Reach(perhaps, Ruling.BLOCKS).text())
        .isEqualTo(" (a namespaceSelector decides where)");
  }

  @Test
  void stricterForWhatLivesInNoNamespaceIsStricter() {
    var namespacedOnly = new Ruling(List.of(audit("?*")), true);

    assertThat(new Reach(Ruling.LETS_PASS, namespacedOnly).anywhere()).isTrue();
    assertThat(new Reach(Ruling.LETS_PASS, namespacedOnly).includes("")).isTrue();
    assertThat(new Reach(Ruling.LETS_PASS, namespacedOnly).includes("shop")).isFalse();
  }

  @Test
  void aPatternIsNamedWhereOnlySomeOfItsNamespacesAreConcerned() {
    var butTheShortest = new Ruling(List.of(audit("team-"), enforce("team-*")), false);
    var onlyTheShortest = new Ruling(List.of(audit("team-?*"), enforce("team-*")), false);

    assertThat(new Reach(Ruling.LETS_PASS, butTheShortest).text()).isEqualTo(" in team-*");
    assertThat(new Reach(Ruling.LETS_PASS, onlyTheShortest).text()).isEqualTo(" in team-*");
  }

  @Test
  void namesFiveNamespacesAndCountsTheOthers() {
    var five = enforce("a", "b", "c", "d", "e");
    var seven = enforce("a", "b", "c", "d", "e", "f", "g");

    assertThat(new Reach(Ruling.LETS_PASS, new Ruling(List.of(five), false)).text())
        .isEqualTo(" in a, b, c, d, e");
    assertThat(new Reach(Ruling.LETS_PASS, new Ruling(List.of(seven), false)).text())
        .isEqualTo(" in a, b, c, d, e and 2 more");
  }

  private static Exemption enforce(String... namespaces) {
    return new Exemption(true, List.of(namespaces), Optional.empty());
  }

  private static Exemption audit(String... namespaces) {
    return new Exemption(false, List.of(namespaces), Optional.empty());
  }
}
