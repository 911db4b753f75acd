/// `convert`: successors on stdout as YAML or JSON, refusals on stderr.
@NullMarked
package dev.policysync.cli.convert;

import org.jspecify.annotations.NullMarked;
