/// The agent against older releases of Kubernetes and Kyverno: `make matrix` runs
/// [dev.policysync.matrix.Matrix], which writes `docs/compatibility.md`.
@NullMarked
package dev.policysync.matrix;

import org.jspecify.annotations.NullMarked;
