/// How the agent gets into a cluster: its rights, its chart, its image and the examples; start at
/// [dev.policysync.install.LeastPrivilegeIT].
@NullMarked
package dev.policysync.install;

import org.jspecify.annotations.NullMarked;
