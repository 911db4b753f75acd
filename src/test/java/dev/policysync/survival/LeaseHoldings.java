package dev.policysync.survival;

import dev.policysync.testcluster.AuditLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Who had the Lease when, as the API server's audit log tells, and whether whoever wrote a policy
/// had it then.
///
/// Everything is judged by when the API server received it. That order can be relied on: a holder
/// sends its writes after the answer by which it got the Lease and before it gives it back, and the
/// next one asks for it after it saw that. When an answer was finished is noted later than its
/// receiver knows, and would not do.
///
/// @param wrongWrites each write of a policy by somebody who had not the Lease, with who had it
/// @param takeOvers each time that it went from one holder to another without being given back
/// @param writers who wrote policies
record LeaseHoldings(List<String> wrongWrites, List<String> takeOvers, Set<String> writers) {
  /// @param log each agent's `POD_NAME` is the name of its ServiceAccount
  static LeaseHoldings in(List<AuditLog.Event> log) {
    var wrong = new ArrayList<String>();
    var takeOvers = new ArrayList<String>();
    var writers = new HashSet<String>();
    var holder = "";
    for (var event : log.stream().sorted(Comparator.comparing(AuditLog.Event::received)).toList()) {
      var entry = event.entry();
      if (entry.resource().startsWith("leases.") && entry.write() && entry.status() < 300) {
        var next = event.leaseHolder().orElse("");
        if (!holder.isEmpty() && !next.isEmpty() && !next.equals(holder)) {
          takeOvers.add(holder + " -> " + next);
        }
        holder = next;
      } else if (entry.write() && entry.resource().contains("kyverno.io") && isAgent(entry)) {
        var account = entry.user().substring(entry.user().lastIndexOf(':') + 1);
        writers.add(account);
        if (!holder.startsWith(account + "-")) {
          wrong.add(account + " wrote " + entry.name() + " while the holder was '" + holder + "'");
        }
      }
    }
    return new LeaseHoldings(wrong, takeOvers, writers);
  }

  private static boolean isAgent(AuditLog.Entry entry) {
    return entry.userAgent().startsWith("policy-sync/");
  }
}
