package dev.policysync.dist;

import java.util.List;

/// One way to start the program that is built: by its launcher, or as the image does.
interface Program {
  /// A process that is not started yet, with these options for Java in addition to the usual ones.
  ProcessBuilder with(List<String> javaOptions);
}
