/// Reading policies and reports page by page while they arrive ([ReportPage]), each result into its
/// partition ([ResultPartitioner]); the ports [ReportSource], [PageReader].
@NullMarked
package dev.policysync.report.page;

import org.jspecify.annotations.NullMarked;
