package dev.policysync.remote.cluster;

import io.kubernetes.client.util.KubeConfig;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Kubeconfig files, read with the Kubernetes client
/// (<https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/>).
final class Kubeconfig {
  private static final Set<String> FILES =
      Set.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

  private final KubeConfig config;
  private final String origin;

  private Kubeconfig(KubeConfig config, String origin) {
    this.config = config;
    this.origin = origin;
  }

  /// A context with its cluster and user.
  ///
  /// @param config the kubeconfig with this context chosen
  /// @param user without fields if the context has no user
  /// @param namespace empty if the context has none
  record Context(
      String name,
      KubeConfig config,
      ConfigSection cluster,
      ConfigSection user,
      Optional<String> namespace) {}

  /// Reads one or several files. If several define the same cluster, user or context, the first one
  /// is used.
  ///
  /// @throws IllegalArgumentException if there is no file, or one cannot be read
  static Kubeconfig read(String paths) {
    var contexts = new ArrayList<Object>();
    var clusters = new ArrayList<Object>();
    var users = new ArrayList<Object>();
    Optional<String> current = Optional.empty();
    Optional<Path> first = Optional.empty();
    for (var name : paths.split(File.pathSeparator, -1)) {
      var path = Path.of(name).toAbsolutePath();
      if (name.isEmpty() || !Files.exists(path)) {
        continue;
      }
      var file = load(path);
      addAll(contexts, file.getContexts(), path);
      addAll(clusters, file.getClusters(), path);
      addAll(users, file.getUsers(), path);
      current =
          current.or(() ->
              Optional.ofNullable(file.getCurrentContext()).filter(context -> !context.isEmpty()));
      first = first.or(() -> Optional.of(path));
    }
    if (first.isEmpty()) {
      throw new IllegalArgumentException("kubeconfig not found: " + paths);
    }
    var merged = new KubeConfig(contexts, clusters, users);
    merged.setFile(first.get().toFile());
    current.ifPresent(merged::setContext);
    return new Kubeconfig(merged, paths);
  }

  private static KubeConfig load(Path path) {
    try (Reader reader = Files.newBufferedReader(path)) {
      return KubeConfig.loadKubeConfig(reader);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read the kubeconfig " + path + ": " + reason(e), e);
    } catch (RuntimeException e) {
      // The parser's message quotes the file, which has credentials.
      throw new IllegalArgumentException(
          "cannot read the kubeconfig "
              + path
              + ": it is not a YAML object with clusters, users and contexts",
          e);
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case CharacterCodingException _ -> "it is not UTF-8 text";
      default -> "it is not readable (" + e.getClass().getSimpleName() + ")";
    };
  }

  private static void addAll(List<Object> all, @Nullable List<Object> more, Path file) {
    for (var entry : more == null ? List.of() : more) {
      all.add(besideItsFile(entry, file));
    }
  }

  /// Resolves a relative path against the folder of the kubeconfig file that contains it. A
  /// plugin's command is resolved too, unless it is a plain name to be found in PATH.
  private static Object besideItsFile(Object entry, Path file) {
    if (!(entry instanceof Map<?, ?> fields)) {
      return entry;
    }
    var resolved = new LinkedHashMap<Object, Object>();
    fields.forEach((name, value) ->
        resolved.put(
            name,
            value instanceof String path && isPath(name, path)
                ? file.resolveSibling(path).normalize().toString()
                : besideItsFile(value, file)));
    return resolved;
  }

  private static boolean isPath(Object field, String text) {
    return FILES.contains(field)
        ? !text.isEmpty()
        : field.equals("command") && text.contains(File.separator);
  }

  /// Returns the chosen context, or the current one.
  ///
  /// @throws IllegalArgumentException if the kubeconfig does not contain the context, its cluster
  ///   or its user
  Context context(Optional<String> chosen) {
    var name =
        chosen
            .or(() -> Optional.ofNullable(config.getCurrentContext()))
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the kubeconfig " + origin + " has no current-context; set --context"));
    var context =
        named(config.getContexts(), "context", name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the kubeconfig " + origin + " has no context " + name));
    try {
      var _ = config.setContext(name);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "the kubeconfig " + origin + " cannot be used: " + context.name() + " is malformed", e);
    }
    return new Context(
        name,
        config,
        referenced(context, config.getClusters(), "cluster"),
        referenced(context, config.getUsers(), "user"),
        context.text("namespace"));
  }

  private ConfigSection referenced(
      ConfigSection context, @Nullable List<Object> entries, String kind) {
    return context
        .text(kind)
        .map(name ->
            named(entries, kind, name)
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "the kubeconfig "
                            + origin
                            + " cannot be used: it has no "
                            + kind
                            + " \""
                            + name
                            + "\", which "
                            + context.name()
                            + " names")))
        .orElseGet(() -> new ConfigSection("the " + kind + " of " + context.name(), Map.of()));
  }

  /// Returns the fields of the entry with that name; no fields if the entry has only a name.
  private static Optional<ConfigSection> named(
      @Nullable List<Object> entries, String kind, String name) {
    for (var entry : entries == null ? List.of() : entries) {
      if (entry instanceof Map<?, ?> fields && name.equals(fields.get("name"))) {
        var own = fields.get(kind) instanceof Map<?, ?> map ? map : Map.of();
        return Optional.of(new ConfigSection(kind + " \"" + name + "\"", own));
      }
    }
    return Optional.empty();
  }
}
