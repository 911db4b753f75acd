package dev.policysync.convert.expression;

import java.util.List;

/// The verdict of a pattern on a value: it passes, it is skipped because the condition of an anchor
/// does not hold, or, if neither is true, it fails. `passes` and `skips` are never true at once.
public record Judgement(Cel passes, Cel skips) {
  static final Judgement FAILS = new Judgement(Cel.FALSE, Cel.FALSE);

  static Judgement of(Cel passes) {
    return new Judgement(passes, Cel.FALSE);
  }

  /// Restricts the judgement: where the condition does not hold, the pattern fails.
  Judgement only(Cel condition) {
    return new Judgement(condition.and(passes), condition.and(skips));
  }

  /// Tests that the pattern does not fail.
  public Cel holds() {
    return passes.or(skips);
  }

  /// Joins judgements in order: the first that does not pass decides.
  static Judgement inOrder(List<Judgement> judgements) {
    var skips = Cel.FALSE;
    for (var judgement : judgements.reversed()) {
      skips = judgement.skips.or(judgement.passes.and(skips));
    }
    return new Judgement(Cel.all(judgements.stream().map(Judgement::passes).toList()), skips);
  }

  /// Joins the patterns of `anyPattern`: they pass if one passes, and are skipped if all are.
  static Judgement anyOf(List<Judgement> judgements) {
    return new Judgement(
        Cel.any(judgements.stream().map(Judgement::passes).toList()),
        Cel.all(judgements.stream().map(Judgement::skips).toList()));
  }
}
