/// JSON values as manifests and API objects hold them ([Value]), read, written, and in canonical
/// form.
@NullMarked
package dev.policysync.json;

import org.jspecify.annotations.NullMarked;
