package dev.policysync.dist;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// The program that is built, and one way to start it: by its launcher, or as the image does.
///
/// @param jar where it is
/// @param start a process that is not started yet, with these options for Java in addition to the
///   usual ones
record Program(Path jar, Function<List<String>, ProcessBuilder> start) {}
