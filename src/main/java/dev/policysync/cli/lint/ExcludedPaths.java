package dev.policysync.cli.lint;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Globs of files that are not linted: `templates`, `*.tmpl.yaml`, `charts/**`. A glob matches any
/// number of directories in a row, or the file at their end, at any depth of the path.
record ExcludedPaths(List<PathMatcher> globs) {
  /// Reads comma-separated globs.
  ///
  /// @throws PatternSyntaxException if a glob is invalid
  static ExcludedPaths of(String globs) {
    return new ExcludedPaths(
        Stream.of(globs.split(",", -1))
            .map(String::strip)
            .filter(glob -> !glob.isEmpty())
            .map(glob -> glob.endsWith("/") ? glob.substring(0, glob.length() - 1) : glob)
            .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
            .toList());
  }

  boolean include(Path written) {
    var path = written.normalize();
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
