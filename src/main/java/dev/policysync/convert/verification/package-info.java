/// Whether a policy and its successor have the same verdicts: Kyverno's own command line evaluates
/// both on resources made from the policy; start at [VerdictComparison].
@NullMarked
package dev.policysync.convert.verification;

import org.jspecify.annotations.NullMarked;
