/// Policy reports folded into findings, each thing once and in flat memory; start at
/// [dev.policysync.report.finding.Findings].
@NullMarked
package dev.policysync.report;

import org.jspecify.annotations.NullMarked;
