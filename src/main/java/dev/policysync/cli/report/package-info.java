/// `report` on a terminal: its summary, its findings and its output files.
@NullMarked
package dev.policysync.cli.report;

import org.jspecify.annotations.NullMarked;
