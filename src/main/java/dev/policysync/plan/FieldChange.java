package dev.policysync.plan;

import dev.policysync.base.Value;
import java.util.Optional;

/// One field that a write changes: `spec.rules[0].validate.failureAction` from `Audit` to
/// `Enforce`.
///
/// @param path as people write it
/// @param before empty if the field is new
/// @param after empty if the field is removed
public record FieldChange(String path, Optional<Value> before, Optional<Value> after) {}
