/// `report`: its summary, findings and storage at a terminal.
@NullMarked
package dev.policysync.cli.report;

import org.jspecify.annotations.NullMarked;
