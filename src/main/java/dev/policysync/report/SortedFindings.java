package dev.policysync.report;

import dev.policysync.policy.kyverno.AutogenRuleNames;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;

/// Iterates over all findings in order by merging sorted partitions.
final class SortedFindings implements Iterator<Finding> {
  private final StringTable stringTable;
  private final ReportedPolicyTable policies;
  private final PriorityQueue<Head> heads;

  public SortedFindings(
      List<SpillPartition> strands, StringTable stringTable, ReportedPolicyTable policies) {
    this.stringTable = stringTable;
    this.policies = policies;
    var order = Deduplicator.orderOf(stringTable, policies);
    this.heads = new PriorityQueue<>(Comparator.comparing(Head::spilledResult, order));
    for (var spillPartition : strands) {
      advance(spillPartition.reader());
    }
  }

  private record Head(SpillPartition.Reader reader, int pods, SpilledResult spilledResult) {}

  private void advance(SpillPartition.Reader reader) {
    if (reader.more()) {
      heads.add(new Head(reader, reader.index(), SpilledResult.readFrom(reader)));
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
    return finding(head.spilledResult(), head.pods());
  }

  private Finding finding(SpilledResult spilledResult, int pods) {
    return new Finding(
        policies.get(spilledResult.policy()).policy(),
        AutogenRuleNames.base(stringTable.text(spilledResult.rule())),
        spilledResult.result(),
        spilledResult.severity(),
        spilledResult.category(),
        new Resource(
            stringTable.text(spilledResult.apiVersion()),
            stringTable.text(spilledResult.kind()),
            stringTable.text(spilledResult.namespace()),
            spilledResult.name(),
            spilledResult.uid()),
        spilledResult.resultMessage(),
        spilledResult.time() == 0
            ? Optional.empty()
            : Optional.of(
                Instant.ofEpochSecond(
                    spilledResult.time() / 1_000_000_000, spilledResult.time() % 1_000_000_000)),
        pods);
  }
}
