/// The schemas of Kyverno's CRDs, of several releases; start at
/// [dev.policysync.lint.schema.KyvernoSchemas].
@NullMarked
package dev.policysync.lint.schema;

import org.jspecify.annotations.NullMarked;
