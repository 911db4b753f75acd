package dev.policysync.cli.lint;

import dev.policysync.policy.Manifest;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Files that nobody wants judged, by globs: `templates`, `*.tmpl.yaml`, `charts/**`. A glob is for
/// any number of folders or the file at the end of them, wherever in the path it begins.
record ExcludedPaths(List<PathMatcher> globs) {
  /// Those between the commas.
  ///
  /// @throws PatternSyntaxException if one is no glob
  static ExcludedPaths of(String globs) {
    return new ExcludedPaths(
        Stream.of(globs.split(",", -1))
            .map(String::strip)
            .filter(glob -> !glob.isEmpty())
            .map(glob -> glob.endsWith("/") ? glob.substring(0, glob.length() - 1) : glob)
            .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
            .toList());
  }

  boolean include(Manifest manifest) {
    var path = Path.of(manifest.name()).normalize();
    var count = path.getNameCount();
    return globs.stream()
        .anyMatch(glob ->
            glob.matches(path)
                || IntStream.range(0, count)
                    .anyMatch(from ->
                        IntStream.rangeClosed(from + 1, count)
                            .anyMatch(to -> glob.matches(path.subpath(from, to)))));
  }
}
