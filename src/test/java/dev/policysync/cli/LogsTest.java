package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import dev.policysync.base.Printable;
import dev.policysync.base.Secret;
import dev.policysync.cli.settings.LogLevel;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.RunId;
import dev.policysync.testcluster.Documents;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class LogsTest {
  private static final RunId RUN = new RunId("3f9a1c2e");

  private final PrintStream stdout = System.out;
  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setOut(new PrintStream(out, true, UTF_8));
    System.setErr(new PrintStream(err, true, UTF_8));
  }

  @AfterEach
  void logAsBefore() throws Exception {
    System.setOut(stdout);
    System.setErr(stderr);
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    new ContextInitializer(context).autoConfig();
  }

  @Test
  void writesFactsInJsonAsPeopleReadThem() {
    Logs.configure(LogLevel.INFO, OutputFormat.JSON, RUN);

    log();

    var line = Documents.json(out.toString(UTF_8));
    assertThat(line.text("level")).contains("info");
    assertThat(line.text("msg")).contains("Policy applied");
    assertThat(line.text("policy")).contains("Policy/shop/a");
    assertThat(line.text("url")).contains("https://a.example/x");
    assertThat(line.text("token")).contains("***");
    assertThat(line.text("run")).contains("3f9a1c2e");
    assertThat(out.toString(UTF_8)).contains("\"count\":3");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void writesFactsBehindTheMessageForPeople() {
    Logs.configure(LogLevel.INFO, OutputFormat.TEXT, RUN);

    log();

    assertThat(err.toString(UTF_8))
        .contains("INFO  Policy applied policy=\"Policy/shop/a\" url=\"https://a.example/x\"");
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void writesNothingBelowItsLevel() {
    Logs.configure(LogLevel.ERROR, OutputFormat.JSON, RUN);

    log();

    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = OutputFormat.class,
      names = {"TEXT", "JSON"})
  void keepsTextOfOthersFromActingOnATerminal(OutputFormat format) {
    Logs.configure(LogLevel.INFO, format, RUN);

    LoggerFactory.getLogger(LogsTest.class)
        .atInfo()
        .addKeyValue("reason", "a\n::error::b\u001b[2J\u202ec\u009b1m##[error]")
        .log("Policy failed");

    var printed = out.toString(UTF_8) + err.toString(UTF_8);
    assertThat(printed)
        .endsWith("\n")
        .contains("\\n::error::b\\u001")
        .contains("\\u202ec\\u009b1m##\\u005b");
    assertThat(printed.stripTrailing().codePoints()).noneMatch(Printable::isControlOrInvisible);
  }

  private static void log() {
    LoggerFactory.getLogger(LogsTest.class)
        .atInfo()
        .addKeyValue("policy", PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "a"))
        .addKeyValue("url", URI.create("https://a.example/x"))
        .addKeyValue("token", Secret.of("k7Qz-vXw9"))
        .addKeyValue("count", 3)
        .log("Policy applied");
  }
}
