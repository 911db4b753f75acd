/// Drift on a real API server: what the agent makes of a policy's metadata, held against the truth
/// about the whole object. The truth is found without the code that is tested: by the API server's
/// own dry run, and by what the policy was right after it was applied.
@NullMarked
package dev.policysync.drift;

import org.jspecify.annotations.NullMarked;
