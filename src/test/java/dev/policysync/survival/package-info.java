/// The built program while things break around it: frozen, killed, overtaken, with servers that go
/// away. Start at [dev.policysync.survival.CrowdIT].
@NullMarked
package dev.policysync.survival;

import org.jspecify.annotations.NullMarked;
