/// Seeded defects: how many of the agent's promises can be broken without the tests that play at
/// random finding out. Start at [dev.policysync.seeded.SeededDefects].
@NullMarked
package dev.policysync.seeded;

import org.jspecify.annotations.NullMarked;
