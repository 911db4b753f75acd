package dev.policysync.cli;

import dev.policysync.inspect.SyncStatus;
import java.util.List;
import java.util.function.Supplier;

/// `status`: compares the cluster with the source, and exits with 0 only if there is no problem.
public final class StatusCommand implements RunningCommand {
  private final OutputFormat format;
  private final TextStyle textStyle;
  private final int columns;
  private final Output out;
  private final Output err;

  StatusCommand(OutputFormat format, TextStyle textStyle, int columns, Output out, Output err) {
    this.format = format;
    this.textStyle = textStyle;
    this.columns = columns;
    this.out = out;
    this.err = err;
  }

  public static StatusCommand on(
      Invocation.Run invocation, boolean noColour, Output out, Output err) {
    return new StatusCommand(
        invocation.output().orElse(OutputFormat.TEXT),
        Terminal.onStdout() && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN,
        Terminal.columns(),
        out,
        err);
  }

  public ExitCode run(Supplier<SyncStatus> look) {
    var syncStatus = look.get();
    if (format == OutputFormat.JSON) {
      out.document(StatusJson.write(syncStatus) + "\n");
    } else {
      out.print(new StatusText(textStyle, columns).write(syncStatus));
    }
    out.flush();
    return syncStatus.well() ? ExitCode.OK : ExitCode.FAILED;
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    UsageError.print(err, problems);
    return ExitCode.USAGE;
  }

  @Override
  public void printCutOff(String why) {
    err.println(
        "policy-sync: no status, because the servers did not answer: "
            + why
            + "\nRun policy-sync check: it names the one that does not.");
    err.flush();
  }
}
