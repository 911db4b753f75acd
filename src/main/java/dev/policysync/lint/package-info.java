/// Judging policies offline, before they reach a cluster; start at [dev.policysync.lint.Linter].
@NullMarked
package dev.policysync.lint;

import org.jspecify.annotations.NullMarked;
