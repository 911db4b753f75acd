package dev.policysync.inspect;

import dev.policysync.sync.Summary.Note;
import java.util.List;
import java.util.Optional;

/// One cause that keeps policies from being in force, or will, with all policies that it concerns.
///
/// @param title says what is wrong in one sentence: `34 policies stay in force: the feed is empty`
/// @param reason what the server or Kyverno answered, or why it is so; empty if the title says it
/// @param policies the policies, or kinds, each with a remark if it has one of its own
/// @param approval the command by which a person approves what a guard withholds, if that can be
/// @param next the command that shows more, or corrects it; empty if nothing needs to be done
public record StatusProblem(
    Severity severity,
    String title,
    String reason,
    List<Note> policies,
    Optional<String> approval,
    Optional<String> next) {
  /// How much a problem matters, the worst first.
  public enum Severity {
    /// Policies are not in force, or no run can make them so.
    ERROR,
    /// A person has to decide, or should look.
    WARNING,
    /// The next run, or a later one, does it.
    PENDING,
    /// Nothing is wrong; it is good to know.
    NOTE
  }

  public StatusProblem {
    policies = List.copyOf(policies);
  }
}
