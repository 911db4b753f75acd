/// CEL as text: conditions and their brackets, places in an object, wildcards. Start at
/// [dev.policysync.convert.expression.Cel].
@NullMarked
package dev.policysync.convert.expression;

import org.jspecify.annotations.NullMarked;
