/// `export`: manifests on stdout, remarks on stderr.
@NullMarked
package dev.policysync.cli.export;

import org.jspecify.annotations.NullMarked;
