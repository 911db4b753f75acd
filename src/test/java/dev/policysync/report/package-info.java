/// Reports as clusters have them, and what must be found in them.
@NullMarked
package dev.policysync.report;

import org.jspecify.annotations.NullMarked;
