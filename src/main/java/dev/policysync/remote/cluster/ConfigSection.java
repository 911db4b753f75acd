package dev.policysync.remote.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The fields of one cluster, user or other part of a kubeconfig. An empty text counts as missing,
/// as for kubectl. Every accessor throws an [IllegalArgumentException] if the field has another
/// type.
///
/// @param name the section's name in messages: `user "me"`
record ConfigSection(String name, Map<?, ?> fields) {

  /// A text and its source, a field or a file, for messages.
  record Found(String text, String origin) {}

  Optional<String> text(String field) {
    return switch (fields.get(field)) {
      case null -> Optional.empty();
      case String text -> Optional.of(text).filter(given -> !given.isEmpty());
      default -> throw new IllegalArgumentException(name(field) + " is not a string");
    };
  }

  boolean flag(String field) {
    return switch (fields.get(field)) {
      case null -> false;
      case Boolean flag -> flag;
      default -> throw new IllegalArgumentException(name(field) + " is not true or false");
    };
  }

  List<?> list(String field) {
    return switch (fields.get(field)) {
      case null -> List.of();
      case List<?> list -> list;
      default -> throw new IllegalArgumentException(name(field) + " is not a list");
    };
  }

  Optional<ConfigSection> section(String field) {
    return switch (fields.get(field)) {
      case null -> Optional.empty();
      case Map<?, ?> map -> Optional.of(new ConfigSection(name(field), map));
      default -> throw new IllegalArgumentException(name(field) + " is not a mapping");
    };
  }

  /// Returns the base64 content of `<field>-data`, or else the content of the file that the field
  /// names.
  ///
  /// @throws IllegalArgumentException if the content cannot be read; no message quotes it
  Optional<Found> dataOrFile(String field) {
    var data = field + "-data";
    return text(data)
        .map(encoded -> new Found(decode(encoded, name(data)), name(data)))
        .or(() -> text(field).map(path -> new Found(read(path, name(field)), name(field))));
  }

  /// Returns a field's name in messages: `tokenFile of user "me"`.
  String name(String field) {
    return field + " of " + name;
  }

  private static String decode(String base64, String origin) {
    try {
      return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException(origin + " is not base64");
    }
  }

  static String read(String path, String origin) {
    try {
      // PEM is ASCII; as Latin-1, comments in any encoding can be read.
      return Files.readString(Path.of(path), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new IllegalArgumentException("file not found: " + path + " (" + origin + ")", e);
    } catch (AccessDeniedException e) {
      throw new IllegalArgumentException("permission denied: " + path + " (" + origin + ")", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("file cannot be read: " + path + " (" + origin + ")", e);
    }
  }
}
