/// How fast the built program is, and at what cost: `make bench`. Start at
/// [dev.policysync.bench.Bench]; what is measured stands in [dev.policysync.bench.Scenario].
@NullMarked
package dev.policysync.bench;

import org.jspecify.annotations.NullMarked;
