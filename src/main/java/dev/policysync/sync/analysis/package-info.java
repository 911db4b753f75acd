/// What a plan's writes will cause, found out before they are done: [ImpactAnalyzer], [LintCache],
/// [DependencyResolver]; the ports [ViolationSource] and [PolicyLinter].
@NullMarked
package dev.policysync.sync.analysis;

import org.jspecify.annotations.NullMarked;
