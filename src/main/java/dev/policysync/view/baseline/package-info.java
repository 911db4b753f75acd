/// What changed since an earlier report: its JSON, read as a stream and kept as hashes
/// ([Baseline]), and the findings of now beside it; start at [Comparison].
@NullMarked
package dev.policysync.view.baseline;

import org.jspecify.annotations.NullMarked;
