/// Reading JMESPath; start at [dev.policysync.lint.jmespath.JmesPath].
@NullMarked
package dev.policysync.lint.jmespath;

import org.jspecify.annotations.NullMarked;
