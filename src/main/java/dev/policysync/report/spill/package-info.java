/// One temporary file that holds partitions written side by side, so that results need no memory.
@NullMarked
package dev.policysync.report.spill;

import org.jspecify.annotations.NullMarked;
