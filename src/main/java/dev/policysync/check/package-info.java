/// Whether this agent can work here: questions, each answered by a line with its fix. Start at
/// [CheckRunner].
@NullMarked
package dev.policysync.check;

import org.jspecify.annotations.NullMarked;
