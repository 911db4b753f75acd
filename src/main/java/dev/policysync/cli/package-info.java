/// The command line: reads options, calls a command, prints text or JSON, and returns an exit code;
/// start at [Invocation].
@NullMarked
package dev.policysync.cli;

import org.jspecify.annotations.NullMarked;
