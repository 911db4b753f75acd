/// `status`: one screen on how a cluster stands to its source, as text and JSON.
@NullMarked
package dev.policysync.cli.status;

import org.jspecify.annotations.NullMarked;
