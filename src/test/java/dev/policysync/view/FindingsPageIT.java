package dev.policysync.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.report.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser.
class FindingsPageIT {
  private static Browser browser;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    browser = Browser.start();
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  @BeforeEach
  void onADesk() {
    browser.media("screen", "light");
    browser.size(1280, 900);
  }

  @Test
  void looksGood() throws IOException {
    open(Samples.ordinary(1_234));

    browser.screenshot("light");
    browser.media("screen", "dark");
    browser.screenshot("dark");
    browser.media("screen", "light");
    browser.size(390, 844);
    browser.screenshot("phone");
    browser.size(794, 1123);
    browser.media("print", "light");
    browser.screenshot("print");

    assertThat(folder).isDirectory();
  }

  private void open(Findings findings) throws IOException {
    browser.open(page(findings));
  }

  private Path page(Findings findings) throws IOException {
    var file = folder.resolve("findings.html");
    try (var out = Files.newBufferedWriter(file, UTF_8)) {
      FindingsPage.write(findings, Samples.OCCASION, out);
    }
    return file;
  }
}
