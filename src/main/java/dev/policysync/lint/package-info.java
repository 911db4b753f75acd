/// Policies judged offline, before they reach a cluster; start at [Linter].
@NullMarked
package dev.policysync.lint;

import org.jspecify.annotations.NullMarked;
