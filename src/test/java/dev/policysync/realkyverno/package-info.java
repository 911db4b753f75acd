/// The program against a real Kyverno: what its webhooks judge, its controllers write and its
/// reports say. `make e2e` runs these tests, in a cluster of their own.
@NullMarked
package dev.policysync.realkyverno;

import org.jspecify.annotations.NullMarked;
