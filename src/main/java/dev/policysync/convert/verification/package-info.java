/// Whether what `convert` writes has the same verdicts: Kyverno's own command line evaluates both
/// forms on resources that are made of the policy. Start at
/// [dev.policysync.convert.verification.VerdictComparison].
@NullMarked
package dev.policysync.convert.verification;

import org.jspecify.annotations.NullMarked;
