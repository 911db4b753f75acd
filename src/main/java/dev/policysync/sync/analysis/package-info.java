/// Finds out what a plan's writes will cause before they are sent: [ImpactAnalyzer], [LintCache],
/// [DependencyResolver]; the ports are [ViolationSource] and [PolicyLinter].
@NullMarked
package dev.policysync.sync.analysis;

import org.jspecify.annotations.NullMarked;
