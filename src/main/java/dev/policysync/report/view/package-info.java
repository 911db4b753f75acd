/// Presents findings to people and programs: a page for browsers, JSON, CSV, and the changes since
/// an earlier report ([Baseline]); start at [FindingsPage].
@NullMarked
package dev.policysync.report.view;

import org.jspecify.annotations.NullMarked;
