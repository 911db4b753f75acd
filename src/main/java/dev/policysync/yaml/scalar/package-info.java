/// What one YAML scalar means to Go's YAML reader: numbers, timestamps, tags.
@NullMarked
package dev.policysync.yaml.scalar;

import org.jspecify.annotations.NullMarked;
