package dev.policysync.report;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Folds one part after the other: of results with one identity the newest counts, and what a
/// controller and its Pods have in common counts once.
///
/// The identity of a result is (source, policy, rule, resource), the resource by its uid where the
/// report gives one, else by kind, namespace and name.
final class Fold {
  private final Names names;
  private final BitSet valid;
  private final Twins twins;
  private final Tally tally;
  private final Comparator<Entry> order;
  private long superseded;
  private long ofControllers;
  private long cutMessages;

  /// @param valid the numbers of pages that are part of a list
  Fold(Names names, ReportedPolicies policies, BitSet valid, Twins twins, Tally tally) {
    this.names = names;
    this.valid = valid;
    this.twins = twins;
    this.tally = tally;
    this.order = orderOf(names, policies);
  }

  private record Identity(int policy, int rule, int kind, int namespace, String resource) {
    static Identity of(Entry entry) {
      return entry.uid().isEmpty()
          ? new Identity(
              entry.policy(), entry.rule(), entry.kind(), entry.namespace(), entry.name())
          : new Identity(entry.policy(), entry.rule(), -1, -1, entry.uid());
    }
  }

  private record Place(int policy, int namespace) {}

  /// What is in that part, each thing once, in no order.
  List<Folded> fold(Strand part) {
    var results = newest(part);
    foldIntoControllers(results);
    var folded = results.stream().filter(result -> !result.inAnother()).toList();
    ofControllers += results.size() - folded.size();
    return folded;
  }

  /// Counts what is in that part and writes its findings in their order.
  void fold(Strand part, Strand findings) {
    var kept = new ArrayList<Folded>();
    for (var result : fold(part)) {
      var entry = result.entry();
      tally.add(entry);
      if (entry.result().isFinding()) {
        kept.add(result);
        cutMessages += entry.message().cut() ? 1 : 0;
      }
    }
    kept.sort((a, b) -> order.compare(a.entry(), b.entry()));
    for (var result : kept) {
      findings.number(result.pods());
      result.entry().writeTo(findings);
    }
    findings.end();
  }

  long superseded() {
    return superseded;
  }

  long ofControllers() {
    return ofControllers;
  }

  long cutMessages() {
    return cutMessages;
  }

  private List<Folded> newest(Strand part) {
    var newest = new HashMap<Identity, Entry>();
    for (var reader = part.reader(); reader.more(); ) {
      var entry = Entry.readFrom(reader);
      if (valid.get(entry.page()) && !(entry.twin() != 0 && twins.isStale(entry.twin()))) {
        var other = newest.putIfAbsent(Identity.of(entry), entry);
        if (other != null) {
          superseded++;
          if (supersedes(entry, other)) {
            newest.put(Identity.of(entry), entry);
          }
        }
      }
    }
    return newest.values().stream().map(Folded::new).toList();
  }

  /// The newer one; of two equally new ones the worse, so that nothing is hidden.
  private static boolean supersedes(Entry entry, Entry other) {
    if (entry.time() != other.time()) {
      return entry.time() > other.time();
    }
    if (entry.result() != other.result()) {
      return entry.result().compareTo(other.result()) < 0;
    }
    return entry.message().text().compareTo(other.message().text()) < 0;
  }

  /// Only where both say the same: a Pod that fails where its controller passes has something that
  /// the controller has not, such as an injected sidecar, and stays a finding of its own.
  private void foldIntoControllers(List<Folded> results) {
    var controllers = new HashMap<Place, Controllers>();
    for (var result : results) {
      var entry = result.entry();
      var kind = names.text(entry.kind());
      if (Controllers.isMaker(kind)) {
        controllers
            .computeIfAbsent(place(entry), _ -> new Controllers())
            .add(kind, entry.name(), result);
      }
    }
    for (var result : results) {
      fold(result, controllers);
    }
  }

  private void fold(Folded result, Map<Place, Controllers> controllers) {
    var entry = result.entry();
    var kind = names.text(entry.kind());
    var there = Controllers.isMade(kind) ? controllers.get(place(entry)) : null;
    if (there == null) {
      return;
    }
    for (var maker : there.makersOf(kind, entry.name())) {
      if (maker.entry().result() == entry.result()
          && Rules.same(names.text(maker.entry().rule()), names.text(entry.rule()))) {
        result.foldInto(maker);
        return;
      }
    }
  }

  private static Place place(Entry entry) {
    return new Place(entry.policy(), entry.namespace());
  }

  /// The order of findings: the most severe first, then by policy, namespace, resource and rule.
  static Comparator<Entry> orderOf(Names names, ReportedPolicies policies) {
    return Comparator.comparing(Entry::severity)
        .thenComparing(Entry::policy, byPolicy(policies))
        .thenComparing(entry -> names.text(entry.namespace()))
        .thenComparing(entry -> names.text(entry.kind()))
        .thenComparing(Entry::name)
        .thenComparing(entry -> names.text(entry.rule()))
        .thenComparing(Entry::uid)
        .thenComparing(entry -> names.text(entry.apiVersion()));
  }

  private static Comparator<Integer> byPolicy(ReportedPolicies policies) {
    return Comparator.comparing((Integer number) -> policies.get(number).policy().name())
        .thenComparing(number -> policies.get(number).policy().source());
  }
}
