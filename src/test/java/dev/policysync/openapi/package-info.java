/// What docs/api says of the remote API, against what is sent and against a server that does no
/// more.
@NullMarked
package dev.policysync.openapi;

import org.jspecify.annotations.NullMarked;
