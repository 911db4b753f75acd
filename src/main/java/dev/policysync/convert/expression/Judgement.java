package dev.policysync.convert.expression;

import java.util.List;

/// What a pattern says of a value: it passes, it is none of the pattern's business (an anchor's
/// condition does not hold), or, where neither is true, it fails. Both are never true at once.
public record Judgement(Cel passes, Cel skips) {
  static final Judgement FAILS = new Judgement(Cel.FALSE, Cel.FALSE);

  static Judgement of(Cel passes) {
    return new Judgement(passes, Cel.FALSE);
  }

  /// The same where the condition holds; elsewhere it fails.
  Judgement only(Cel condition) {
    return new Judgement(condition.and(passes), condition.and(skips));
  }

  /// Whether it does not fail.
  public Cel holds() {
    return passes.or(skips);
  }

  /// One judgement after the other: the first that does not pass decides.
  static Judgement inOrder(List<Judgement> judgements) {
    var skips = Cel.FALSE;
    for (var judgement : judgements.reversed()) {
      skips = judgement.skips.or(judgement.passes.and(skips));
    }
    return new Judgement(Cel.all(judgements.stream().map(Judgement::passes).toList()), skips);
  }

  /// The patterns of `anyPattern`: it passes if one does, and is skipped if all are.
  static Judgement anyOf(List<Judgement> judgements) {
    return new Judgement(
        Cel.any(judgements.stream().map(Judgement::passes).toList()),
        Cel.all(judgements.stream().map(Judgement::skips).toList()));
  }
}
