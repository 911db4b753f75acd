/// What policy reports say once folded: [Findings], [Finding], totals by policy, namespace,
/// severity and category; values only.
@NullMarked
package dev.policysync.report.finding;

import org.jspecify.annotations.NullMarked;
