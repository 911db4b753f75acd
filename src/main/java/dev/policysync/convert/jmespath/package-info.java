/// JMESPath as CEL, as far as it can be said without loss. Start at
/// [dev.policysync.convert.jmespath.JmesPathTranslation].
@NullMarked
package dev.policysync.convert.jmespath;

import org.jspecify.annotations.NullMarked;
