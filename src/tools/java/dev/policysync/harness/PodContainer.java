package dev.policysync.harness;

import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The one container of a Pod, as the kubelet would start it: its arguments and environment, and
/// its volumes as folders.
///
/// @param pod the Pod's spec
public record PodContainer(Value.Mapping pod, Value.Mapping container) {
  public static PodContainer of(Value.Mapping pod) {
    return new PodContainer(pod, (Value.Mapping) pod.items("containers").getFirst());
  }

  public static PodContainer ofCronJob(Value.Mapping cronJob) {
    return of(
        cronJob
            .mapping("spec")
            .mapping("jobTemplate")
            .mapping("spec")
            .mapping("template")
            .mapping("spec"));
  }

  public List<String> arguments() {
    return container.items("args").stream().map(item -> ((Value.Text) item).text()).toList();
  }

  public Map<String, String> environment(String podName) {
    var environment = new LinkedHashMap<String, String>();
    for (var item : container.items("env")) {
      var variable = (Value.Mapping) item;
      environment.put(
          variable.text("name").orElseThrow(),
          // The only reference that the chart itself makes is to the Pod's name.
          variable.text("value").orElse(podName));
    }
    return environment;
  }

  /// Writes each volume's files below that folder.
  ///
  /// @param sources the data of ConfigMaps and Secrets, by their names
  /// @return the folders, by where they are mounted
  public Map<String, Path> mounts(Path folder, Map<String, Map<String, String>> sources)
      throws IOException {
    var mounts = new LinkedHashMap<String, Path>();
    for (var item : container.items("volumeMounts")) {
      var mount = (Value.Mapping) item;
      var name = mount.text("name").orElseThrow();
      var volume = volume(name);
      if (volume.field("emptyDir").isPresent()) {
        mounts.put(mount.text("mountPath").orElseThrow(), writable(folder.resolve(name)));
        continue;
      }
      var source =
          volume
              .mapping("configMap")
              .text("name")
              .or(() -> volume.mapping("secret").text("secretName"))
              .orElseThrow();
      mounts.put(
          mount.text("mountPath").orElseThrow(),
          readable(
              folder.resolve(name),
              Objects.requireNonNull(sources.get(source), "nobody gave " + source)));
    }
    return mounts;
  }

  /// A folder with these files, for every user to read.
  public static Path readable(Path folder, Map<String, String> files) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (var file : files.entrySet()) {
      var written = Files.writeString(folder.resolve(file.getKey()), file.getValue());
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
    }
    return folder;
  }

  /// An empty folder for every user to write to.
  private static Path writable(Path folder) throws IOException {
    Files.createDirectories(folder);
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private Value.Mapping volume(String name) {
    return pod.items("volumes").stream()
        .map(Value.Mapping.class::cast)
        .filter(volume -> volume.text("name").orElse("").equals(name))
        .findFirst()
        .orElseThrow();
  }
}
