/// YAML and JSON as values, read exactly as kubectl reads them; start at
/// [dev.policysync.yaml.YamlStream] and [dev.policysync.json.Value].
@NullMarked
package dev.policysync.yaml;

import org.jspecify.annotations.NullMarked;
