package dev.policysync.plan.managedfields;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.util.Optional;

/// One step of a path into an object, as `fieldsV1` writes it. The four known forms are defined by
/// Kubernetes (structured-merge-diff, path element serialization).
public sealed interface PathElement {
  /// Returns the part of the value at this step.
  Optional<Value> in(Value value);

  /// A field of a mapping: `f:spec`.
  record Field(String name) implements PathElement {
    @Override
    public Optional<Value> in(Value value) {
      return value instanceof Value.Mapping(var fields)
          ? Optional.ofNullable(fields.get(name))
          : Optional.empty();
    }

    /// Written by hand, as the method that Java generates for a record is slow without the
    /// optimizing compiler, and field sets are maps of these.
    @Override
    public boolean equals(Object other) {
      return other instanceof Field field && name.equals(field.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public String toString() {
      return "f:" + name;
    }
  }

  /// A list item identified by the values of its key fields: `k:{"name":"not-system"}`.
  record Key(Value.Mapping fields) implements PathElement {
    /// Returns whether the key identifies this item: the item has all fields of the key with the
    /// same values.
    boolean names(Value item) {
      return item instanceof Value.Mapping mapping
          && mapping.fields().entrySet().containsAll(fields.fields().entrySet());
    }

    @Override
    public Optional<Value> in(Value value) {
      return value instanceof Value.Sequence(var items)
          ? items.stream().filter(this::names).findFirst()
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "k:" + CanonicalJson.write(fields);
    }
  }

  /// A scalar in a list that is a set: `v:"Audit"`.
  record Item(Value value) implements PathElement {
    @Override
    public Optional<Value> in(Value list) {
      return list instanceof Value.Sequence(var items) && items.contains(value)
          ? Optional.of(value)
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "v:" + CanonicalJson.write(value);
    }
  }

  /// A list item identified by its index, from 0: `i:2`.
  record Index(int index) implements PathElement {
    @Override
    public Optional<Value> in(Value value) {
      return value instanceof Value.Sequence(var items) && index >= 0 && index < items.size()
          ? Optional.of(items.get(index))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "i:" + index;
    }
  }

  /// A step of another form; it may lead to any field.
  record Unknown(String text) implements PathElement {
    @Override
    public Optional<Value> in(Value value) {
      return Optional.empty();
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
