package dev.policysync.cli.status;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.RunningCommand;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.TextStyle;
import dev.policysync.cli.UsageError;
import dev.policysync.status.SyncStatus;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/// `status`: prints how the cluster stands, and exits with 0 only if all is well.
public final class StatusCommand implements RunningCommand {
  private final OutputFormat format;
  private final TextStyle textStyle;
  private final PrintStream out;
  private final PrintStream err;

  StatusCommand(OutputFormat format, TextStyle textStyle, PrintStream out, PrintStream err) {
    this.format = format;
    this.textStyle = textStyle;
    this.out = out;
    this.err = err;
  }

  /// The command as these streams and this environment ask for it.
  public static StatusCommand on(
      Invocation.Run invocation, boolean noColour, PrintStream out, PrintStream err) {
    return new StatusCommand(
        invocation.output().orElse(OutputFormat.TEXT),
        Terminal.onStdout() && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN,
        out,
        err);
  }

  /// Looks and prints.
  public ExitCode run(Supplier<SyncStatus> look) {
    var syncStatus = look.get();
    out.print(
        format == OutputFormat.JSON
            ? StatusJson.write(syncStatus) + "\n"
            : new StatusText(textStyle).write(syncStatus));
    out.flush();
    return syncStatus.well() ? ExitCode.OK : ExitCode.FAILED;
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    UsageError.print(err, problems);
    return ExitCode.USAGE;
  }

  @Override
  public void lastWord(String why) {
    err.println("policy-sync: the status could not be read: " + why);
    err.flush();
  }
}
