/// The schemas that `lint` judges by, made from the CRDs of Kyverno's releases: `dev/schemas`.
@NullMarked
package dev.policysync.schema;

import org.jspecify.annotations.NullMarked;
