package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.testcluster.TimeLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/// A real Chromium without a window, of this machine (`dev/browser`).
final class Browser implements AutoCloseable {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");

  private static final Pattern REQUEST_ID = Pattern.compile("\"requestId\":\"([^\"]*)\"");
  private static final Pattern URL = Pattern.compile("\"request\":\\{.*?\"url\":\"([^\"]*)\"");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  static Browser start() throws IOException, InterruptedException {
    var paths = installed();
    var logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    var options = new ChromeOptions();
    options.setBinary(paths.getFirst());
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    // As root, and with the little shared memory of a container.
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
    var service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(paths.getLast()))
            .usingAnyFreePort()
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static List<String> installed() throws IOException, InterruptedException {
    var errors = Files.createTempFile("browser", ".stderr");
    var process =
        new ProcessBuilder(Path.of("dev", "browser").toString())
            .redirectError(errors.toFile())
            .start();
    var paths = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    if (process.waitFor() != 0 || paths.size() != 2) {
      throw new IllegalStateException("dev/browser: " + Files.readString(errors));
    }
    return paths;
  }

  ChromeDriver driver() {
    return driver;
  }

  /// Opens a file and waits until its script has read all of it.
  void open(Path file) {
    // What earlier pages said is not this one's.
    console();
    requests();
    driver.get(file.toUri().toString());
    Awaitility.await("the page's script to end its start")
        .atMost(TimeLimits.WAIT)
        .until(
            () -> script("return document.documentElement.dataset.ready === 'true'").equals(true));
  }

  Object script(String script, Object... arguments) {
    var answer = driver.executeScript(script, arguments);
    return answer == null ? "" : answer;
  }

  /// Waits for what the script hands to its last argument.
  Object asyncScript(String script) {
    driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(2));
    var answer = driver.executeAsyncScript(script);
    return answer == null ? "" : answer;
  }

  void awaitScript(String what, String condition) {
    Awaitility.await(what)
        .atMost(TimeLimits.WAIT)
        .until(() -> script("return " + condition).equals(true));
  }

  void size(int width, int height) {
    cdp(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 700));
  }

  /// @param medium `screen` or `print`
  /// @param scheme `light` or `dark`
  void media(String medium, String scheme) {
    cdp(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            medium,
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void javaScript(boolean on) {
    cdp("Emulation.setScriptExecutionDisabled", Map.of("value", !on));
  }

  /// The whole page as it would be printed.
  byte[] printed() {
    return Base64.getDecoder()
        .decode(
            String.valueOf(cdp("Page.printToPDF", Map.of("printBackground", true)).get("data")));
  }

  /// Into `target/screenshots`, to be looked at.
  void screenshot(String name) throws IOException {
    Files.write(screenshots().resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  static Path screenshots() throws IOException {
    return Files.createDirectories(SCREENSHOTS);
  }

  /// What the page has said since the last time, errors and warnings among it.
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /// The URLs that were asked for since the last time, but for those that the page's own policy has
  /// kept from the network.
  List<String> requests() {
    var messages =
        driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
            .map(LogEntry::getMessage)
            .toList();
    var refused =
        messages.stream()
            .filter(message -> message.contains("\"blockedReason\":\"csp\""))
            .map(message -> field(REQUEST_ID, message))
            .toList();
    return messages.stream()
        .filter(message -> message.contains("\"Network.requestWillBeSent\""))
        .filter(message -> !refused.contains(field(REQUEST_ID, message)))
        .map(message -> field(URL, message))
        .toList();
  }

  private static String field(Pattern pattern, String message) {
    var field = pattern.matcher(message);
    if (!field.find()) {
      throw new IllegalStateException("no " + pattern + " in " + message);
    }
    return field.group(1);
  }

  private Map<String, Object> cdp(String command, Map<String, Object> parameters) {
    return driver.executeCdpCommand(command, parameters);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
