/// The command line: options in, a command called, text or JSON and an exit code out; start at
/// [Invocation].
@NullMarked
package dev.policysync.cli;

import org.jspecify.annotations.NullMarked;
