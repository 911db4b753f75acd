package dev.policysync.report;

import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;

/// All findings in their order, from strands that are each in that order.
final class SortedFindings implements Iterator<Finding> {
  private final Names names;
  private final ReportedPolicies policies;
  private final PriorityQueue<Head> heads;

  SortedFindings(List<Strand> strands, Names names, ReportedPolicies policies) {
    this.names = names;
    this.policies = policies;
    var order = Fold.orderOf(names, policies);
    this.heads = new PriorityQueue<>(Comparator.comparing(Head::entry, order));
    for (var strand : strands) {
      advance(strand.reader());
    }
  }

  private record Head(Strand.Reader reader, int pods, Entry entry) {}

  private void advance(Strand.Reader reader) {
    if (reader.more()) {
      heads.add(new Head(reader, reader.index(), Entry.readFrom(reader)));
    }
  }

  @Override
  public boolean hasNext() {
    return !heads.isEmpty();
  }

  @Override
  public Finding next() {
    var head = heads.poll();
    if (head == null) {
      throw new NoSuchElementException("no more findings");
    }
    advance(head.reader());
    return finding(head.entry(), head.pods());
  }

  private Finding finding(Entry entry, int pods) {
    return new Finding(
        policies.get(entry.policy()).policy(),
        Rules.base(names.text(entry.rule())),
        entry.result(),
        entry.severity(),
        entry.category(),
        new Resource(
            names.text(entry.apiVersion()),
            names.text(entry.kind()),
            names.text(entry.namespace()),
            entry.name(),
            entry.uid()),
        entry.message(),
        entry.time() == 0
            ? Optional.empty()
            : Optional.of(
                Instant.ofEpochSecond(entry.time() / 1_000_000_000, entry.time() % 1_000_000_000)),
        pods);
  }
}
