/// Findings for people and programs: a page for browsers, JSON, CSV, and what changed since an
/// earlier report ([Baseline]); start at [FindingsPage].
@NullMarked
package dev.policysync.report.view;

import org.jspecify.annotations.NullMarked;
