package dev.policysync.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The image, built as `make image` does and run as a container runtime would, with the network of
/// this machine.
public final class Image implements AutoCloseable {
  public static final Path ARCHIVE = Path.of("target", "image", "policy-sync.tar");

  private static final String NAME = "localhost/policy-sync:latest";
  private static final String BUILDAH = Path.of("dev", "image", "buildah").toString();

  private final String container;
  private final JsonNode config;
  private final Path files;
  private final List<Path> contents;

  private Image(String container, JsonNode config) throws IOException {
    this.container = container;
    this.config = config;
    this.files = Path.of(said(BUILDAH, "mount", container).strip());
    // Before anything runs, which needs places to mount at.
    try (Stream<Path> all = Files.walk(files)) {
      this.contents =
          all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  /// Builds it from what is in `target`, with the Java that runs the tests.
  public static Image build() throws IOException {
    said("dev/image/build", System.getProperty("java.home"));
    var inspected = said(BUILDAH, "inspect", "--type", "image", NAME);
    var config = new ObjectMapper().readTree(inspected).at("/OCIv1/config");
    return new Image(said(BUILDAH, "from", "--pull-never", NAME).strip(), config);
  }

  /// What the image says of itself, as OCI's image specification has it: `User`, `Entrypoint`.
  public JsonNode config() {
    return config;
  }

  /// Everything in it but folders, where it is on this machine.
  public List<Path> contents() {
    return contents;
  }

  /// The path of one of them in the image: `/app/policy-sync.jar`.
  public String inImage(Path file) {
    return "/" + files.relativize(file);
  }

  /// A container in the making: what Kubernetes takes from a Pod's template.
  ///
  /// @param mounts folders of this machine, by where they are mounted
  public record Container(
      List<String> javaOptions,
      List<String> arguments,
      Map<String, String> environment,
      Map<String, Path> mounts) {}

  /// Its entry point, to be run as its user.
  public ProcessBuilder process(Container wanted) {
    return process(wanted, config.at("/User").textValue());
  }

  /// The same as another user.
  ///
  /// @param user uid and gid: `1000680000:0`
  public ProcessBuilder process(Container wanted, String user) {
    var command = new ArrayList<>(List.of("dev/image/run", files.toString()));
    command.add(user);
    command.addAll(List.of("/dev:/dev", "/etc/hosts:/etc/hosts"));
    wanted.mounts().forEach((path, folder) -> command.add(folder.toAbsolutePath() + ":" + path));
    command.add("--");
    var entryPoint = new ArrayList<String>();
    config.at("/Entrypoint").forEach(word -> entryPoint.add(word.textValue()));
    entryPoint.addAll(entryPoint.indexOf("-jar"), wanted.javaOptions());
    command.addAll(entryPoint);
    command.addAll(wanted.arguments());
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    builder.environment().putAll(wanted.environment());
    return builder;
  }

  @Override
  public void close() throws IOException {
    said(BUILDAH, "rm", container);
  }

  private static String said(String... command) throws IOException {
    var errors = Files.createTempFile("buildah", ".stderr");
    try {
      var process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      process.getOutputStream().close();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new AssertionError(List.of(command) + " failed: " + said + Files.readString(errors));
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      Files.delete(errors);
    }
  }
}
