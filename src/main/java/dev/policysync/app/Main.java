package dev.policysync.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.Command;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

/// The program's entry point: arguments and environment in, an exit code out. Each command has its
/// own wiring class in this package.
public final class Main {
  private Main() {}

  /// Runs one command and ends the process with its exit code.
  ///
  /// @param args the command's name and its options; without arguments, `sync` runs
  public static void main(String[] args) {
    end(run(processEnvironment(), Invocation.of(args)));
  }

  @SuppressWarnings("SystemExitOutsideMain")
  static void end(ExitCode code) {
    System.exit(code.code());
  }

  static ProcessEnvironment processEnvironment() {
    return new ProcessEnvironment(
        System.getenv(), utf8(FileDescriptor.out), utf8(FileDescriptor.err));
  }

  /// Opens a stream in UTF-8, because JSON is always UTF-8. The JVM would use the encoding of the
  /// pod's locale, which is ASCII.
  private static Output utf8(FileDescriptor descriptor) {
    return new Output(new PrintStream(new FileOutputStream(descriptor), false, UTF_8));
  }

  static ExitCode run(ProcessEnvironment processEnvironment, Invocation invocation) {
    return switch (invocation) {
      case Invocation.Print(var text, var error) -> {
        var stream = error ? processEnvironment.err() : processEnvironment.out();
        stream.document(text);
        stream.flush();
        yield error ? ExitCode.USAGE : ExitCode.OK;
      }
      case Invocation.Run command ->
          launch(command.command(), new Launcher(processEnvironment, command));
    };
  }

  private static ExitCode launch(Command command, Launcher launcher) {
    return switch (command) {
      case SYNC, DIFF -> SyncWiring.launch(launcher);
      case STATUS -> StatusWiring.launch(launcher);
      case CHECK -> CheckWiring.launch(launcher);
      case EXPORT -> ExportWiring.launch(launcher);
      case REPORT -> ReportWiring.launch(launcher);
      case LINT -> LintWiring.launch(launcher);
      case CONVERT -> ConvertWiring.launch(launcher);
    };
  }
}
