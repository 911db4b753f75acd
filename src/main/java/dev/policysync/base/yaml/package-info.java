/// YAML read exactly as kubectl reads it, with the location of every node; start at [YamlStream].
@NullMarked
package dev.policysync.base.yaml;

import org.jspecify.annotations.NullMarked;
