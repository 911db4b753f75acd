/// Whether what `convert` writes has the same verdicts: Kyverno's own command line evaluates both
/// forms. Start at [dev.policysync.judge.VerdictComparison].
@NullMarked
package dev.policysync.judge;

import org.jspecify.annotations.NullMarked;
