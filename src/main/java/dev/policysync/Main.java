package dev.policysync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.Defect;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.SyncCommand;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.Settings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StopSign;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The process: arguments and environment in, an exit code out. What a command is made of is put
/// together in [SyncRun].
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private final Map<String, String> environment;
  private final PrintStream out;
  private final PrintStream err;

  private Main(Map<String, String> environment, PrintStream out, PrintStream err) {
    this.environment = Map.copyOf(environment);
    this.out = out;
    this.err = err;
  }

  /// Runs one command and ends the process with its exit code.
  ///
  /// @param args a command's name and its options; none means `sync`
  @SuppressWarnings("SystemExitOutsideMain")
  public static void main(String[] args) {
    var out = utf8(FileDescriptor.out);
    System.exit(new Main(System.getenv(), out, utf8(FileDescriptor.err)).run(args).code());
  }

  /// JSON is UTF-8 by definition; the JVM would write whatever the pod's locale says, which is
  /// ASCII.
  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), false, UTF_8);
  }

  private ExitCode run(String... args) {
    return switch (Invocation.of(args)) {
      case Invocation.Print(var text, var error) -> {
        var stream = error ? err : out;
        stream.print(text);
        stream.flush();
        yield error ? ExitCode.USAGE : ExitCode.OK;
      }
      case Invocation.Run invocation -> sync(invocation);
    };
  }

  private ExitCode sync(Invocation.Run invocation) {
    var noColour = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    var id = RunId.random();
    var command = SyncCommand.on(invocation, noColour, out, err, id);
    var pinned = PinnedSettings.mounted();
    Settings settings;
    try {
      settings = command.implied(SettingsReader.read(invocation.flags(), environment, pinned));
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    }
    Logs.configure(settings.logLevel().orElse(usualLevel(command.format())), command.format(), id);
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> Defect.log(e));
    for (var name : SettingsReader.ignored(environment)) {
      LOG.atDebug().addKeyValue("setting", name).log("Setting has no effect");
    }
    var stop = new StopSign(settings.timeout(), System::nanoTime);
    var run = new SyncRun(pinned.over(environment), stop, id);
    var ending = new Ending(stop, run, command);
    ending.watch();
    try {
      return command.run(settings, run::of);
    } catch (WrongSettings e) {
      return command.refuse(e.problems());
    } finally {
      ending.finished();
    }
  }

  /// To a person the summary says it all; a pod's log is read later and elsewhere.
  private static LogLevel usualLevel(OutputFormat format) {
    return format == OutputFormat.JSON ? LogLevel.INFO : LogLevel.ERROR;
  }
}
