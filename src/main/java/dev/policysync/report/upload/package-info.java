/// The body of the API's report: its lists, spilled, its length, and the failure note; the port
/// [ReportUpload].
@NullMarked
package dev.policysync.report.upload;

import org.jspecify.annotations.NullMarked;
