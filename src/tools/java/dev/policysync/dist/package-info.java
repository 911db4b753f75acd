/// What the build hands over, `target/dist`: jars, launcher and a class cache from a real run;
/// start at [dev.policysync.dist.Distribution].
@NullMarked
package dev.policysync.dist;

import org.jspecify.annotations.NullMarked;
