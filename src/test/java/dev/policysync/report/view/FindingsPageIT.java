package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Printable;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/// The page in a real browser. What it looks like is in `target/screenshots`, for people.
class FindingsPageIT {
  private static final String DESK = "desk";
  private static final String PHONE = "phone";

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
    size(DESK);
  }

  @Test
  void asksTheNetworkForNothingAndHasNothingToComplainOf() throws IOException {
    var file = open(ViewSamples.ordinary(1_234));

    assertThat(browser.requests()).containsExactly(file.toUri().toString());
    assertThat(browser.console()).isEmpty();
  }

  @Test
  void letsNoScriptInEvenWhereOneGotPastTheEscaping() throws IOException {
    open(ViewSamples.few());

    browser.script(
        "const script = document.createElement('script');"
            + " script.textContent = 'document.title = \"taken\"'; document.body.append(script);"
            + " const image = new Image(); image.src = 'https://example.invalid/x.png';"
            + " document.body.append(image)");

    browser.awaitScript("the image to be refused", "document.images[0].complete");
    assertThat(browser.driver().getTitle()).isEqualTo("Policy findings in acme/prod-1");
    assertThat(browser.requests()).noneMatch(url -> url.startsWith("https:"));
    assertThat(browser.console()).hasSize(2).allMatch(line -> line.contains("Content Security"));
  }

  @Test
  void showsHostileTextAsTextWithAndWithoutItsScript() throws IOException {
    open(ViewSamples.hostile());

    var shown = Printable.lines(ViewSamples.HOSTILE);
    assertThat(browser.driver().getTitle()).isEqualTo("Policy findings in acme/prod-1");
    assertThat(browser.console()).isEmpty();
    assertThat(browser.script("return document.querySelectorAll('img').length")).isEqualTo(0L);
    assertThat(browser.script("return document.querySelector('.message').textContent"))
        .isEqualTo(shown);
    assertThat(browser.script("return document.querySelector('summary').firstChild.textContent"))
        .isEqualTo(shown);
  }

  @Test
  void isAPlainTableWithoutJavaScript() throws IOException {
    browser.javaScript(false);
    try {
      var file = page(ViewSamples.ordinary(1_234), ViewSamples.CONTEXT);
      browser.driver().get(file.toUri().toString());

      var body = browser.driver().findElement(By.id("rows"));
      assertThat(body.findElements(By.tagName("tr"))).hasSize(FindingRows.ROWS);
      assertThat(browser.driver().findElement(By.id("status")).getText())
          .isEqualTo("The first 500 of 1,234 findings; enable JavaScript to see the others");
      assertThat(browser.driver().findElement(By.id("filters")).isDisplayed()).isFalse();
    } finally {
      browser.javaScript(true);
    }
  }

  @Test
  void makesTheSameRowsWithAndWithoutJavaScript() throws IOException {
    var context = ViewSamples.sinceYesterday(folder);
    var plain = folder.resolve("plain.html");
    Files.writeString(
        plain,
        Files.readString(page(ViewSamples.namesakes(), context)).replaceAll("(?s)<script>.*", ""));
    browser.driver().get(plain.toUri().toString());
    var without = rows();

    open(ViewSamples.namesakes(), context);

    assertThat(rows())
        .isEqualTo(without)
        .asString()
        .contains("Deployment in shop", "3 days", "badge new", "owner: storefront")
        .contains("team-label (ClusterPolicy)", "team-label (ValidatingPolicy)");
  }

  @Test
  void searchesByKeyboardAlone() throws IOException {
    open(ViewSamples.ordinary(1_234));
    var first = firstRow();

    tabTo("search");
    type("CART require-pod-probes");
    browser.awaitScript(
        "fewer findings", "!document.getElementById('status').textContent.startsWith('1,234')");

    assertThat(rowsText()).isNotEmpty().allMatch(row -> row.contains("require-pod-probes"));
    assertThat(rowsText()).allMatch(row -> row.contains("cart"));
    tabTo("reset");
    type(Keys.ENTER);
    browser.awaitScript(
        "all findings", "document.getElementById('status').textContent.startsWith('1,234')");
    assertThat(firstRow()).isEqualTo(first);
  }

  @Test
  void filtersByKeyboardAlone() throws IOException {
    open(ViewSamples.ordinary(1_234));

    tabTo("severity");
    type("high");
    tabTo("namespace");
    type("payments");

    browser.awaitScript(
        "the filtered rows",
        "[...document.querySelectorAll('#rows tr')].every(row =>"
            + " row.innerText.includes('high') && row.innerText.includes('in payments'))");
    assertThat(rowsText()).isNotEmpty();
  }

  @Test
  void filtersByKindAndOwnerByKeyboardAlone() throws IOException {
    open(ViewSamples.ordinary(1_234), ViewSamples.ordinarySinceYesterday(folder, 1_234));

    tabTo("kind");
    type("cron");
    tabTo("owner");
    type("money");

    browser.awaitScript(
        "the filtered rows",
        "[...document.querySelectorAll('#rows tr')].every(row =>"
            + " row.innerText.includes('CronJob in payments')"
            + " && row.innerText.includes('owner: money'))");
    assertThat(rowsText()).isNotEmpty();
  }

  @Test
  void offersNoFilterThatCouldNotTellFindingsApart() throws IOException {
    open(ViewSamples.few());

    assertThat(browser.driver().findElement(By.id("kind")).isDisplayed()).isTrue();
    assertThat(browser.driver().findElement(By.id("owner")).isDisplayed()).isFalse();
    assertThat(browser.driver().findElement(By.id("change")).isDisplayed()).isFalse();
  }

  @Test
  void showsWhatIsNewAndWhatIsGone() throws IOException {
    open(ViewSamples.ordinary(1_234), ViewSamples.ordinarySinceYesterday(folder, 1_234));
    var headline = browser.driver().findElement(By.className("change")).getText();

    browser.script("document.querySelector('.change button').click()");

    browser.awaitScript(
        "the new ones",
        "[...document.querySelectorAll('#rows tr')].every(row =>"
            + " row.querySelector('.badge.new') !== null)");
    assertThat(headline).isEqualTo("272 new and 25 gone since 2026-11-20 19:40 UTC");
    assertThat(browser.script("return document.getElementById('status').textContent"))
        .isEqualTo("272 of 1,234 findings, 1 to 100 shown");
    assertThat(browser.script("return document.querySelectorAll('.plain tbody tr').length"))
        .isEqualTo(25L);
  }

  @Test
  void sortsByKeyboardAloneAndSaysSo() throws IOException {
    open(ViewSamples.ordinary(1_234), ViewSamples.ordinarySinceYesterday(folder, 1_234));
    var first = firstRow();

    tabTo("sort-age");
    type(Keys.ENTER);

    awaitOrder("age", "descending");
    assertThat(firstRow()).contains("39 days");
    assertThat(heads("aria-sort")).isEqualTo("none none none none descending none");
    type(Keys.SPACE);
    awaitOrder("age", "ascending");
    assertThat(firstRow()).contains("new");
    tabTo("sort-resource");
    type(Keys.ENTER);
    awaitOrder("resource", "ascending");
    assertThat(firstRow()).contains("cart-0");
    tabTo("sort-severity");
    type(Keys.ENTER);
    awaitOrder("severity", "descending");
    assertThat(firstRow()).isEqualTo(first);
  }

  @Test
  void sortsTheTablesOfCounts() throws IOException {
    open(ViewSamples.ordinary(1_234));

    browser.script("document.querySelectorAll('.counts')[1].querySelector('button.sort').click()");

    assertThat(
            browser.script(
                "return [...document.querySelectorAll('.counts')[1]"
                    + ".querySelectorAll('tbody tr')].map(row => row.cells[0].textContent)"
                    + ".join(' ')"))
        .isEqualTo(
            "data-platform ingress-nginx monitoring no namespace payments search shop team-blue");
    assertThat(
            browser.script(
                "return document.querySelectorAll('.counts')[1].querySelector('th').ariaSort"))
        .isEqualTo("ascending");
  }

  @Test
  void turnsPagesByKeyboardAlone() throws IOException {
    open(ViewSamples.ordinary(250));
    var first = firstRow();

    tabTo("next");
    type(Keys.ENTER);
    type(Keys.ENTER);
    type(Keys.ENTER);

    assertThat(browser.script("return document.getElementById('page').textContent"))
        .isEqualTo("Page 3 of 3");
    assertThat(rowsText()).hasSize(50);
    tabTo("previous");
    type(Keys.ENTER);
    type(Keys.ENTER);
    assertThat(firstRow()).isEqualTo(first);
  }

  @Test
  void showsTheFindingsOfAPolicyAndOfANamespaceThatIsChosenAbove() throws IOException {
    open(ViewSamples.ordinary(1_234));

    browser.script("document.querySelector('[data-filter=namespace] button').click()");
    browser.awaitScript(
        "one namespace",
        "[...document.querySelectorAll('#rows tr')].every(row => row.innerText.includes('in"
            + " shop'))");
    browser.script("document.querySelector('details').open = true");
    browser.script("document.querySelector('[data-filter=policy] button').click()");
    browser.awaitScript(
        "one policy of all namespaces",
        "[...document.querySelectorAll('#rows tr')].every(row =>"
            + " row.innerText.includes('require-requests-limits'))"
            + " && document.getElementById('namespace').value === ''");

    assertThat(browser.script("return document.activeElement.id")).isEqualTo("findings");
  }

  @Test
  void showsWhatIsFocused() throws IOException {
    open(ViewSamples.few());

    tabTo("search");

    assertThat(browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
        .isEqualTo("solid");
    assertThat(browser.script("return getComputedStyle(document.activeElement).outlineWidth"))
        .isEqualTo("2px");
  }

  @ParameterizedTest
  @CsvSource({"desk,light", "desk,dark", "phone,light", "phone,dark"})
  void thePageIsAccessible(String size, String scheme) throws IOException {
    size(size);
    browser.media("screen", scheme);
    open(ViewSamples.ordinary(1_234), ViewSamples.ordinarySinceYesterday(folder, 1_234));
    browser.script("document.querySelectorAll('details').forEach(each => { each.open = true; })");

    assertThat(violations()).isEmpty();
    assertThat(lowestContrast()).isGreaterThanOrEqualTo(4.5);
  }

  @Test
  void isAccessibleWhereThereIsNoReport() throws IOException {
    open(FakeFindings.none(Map.of()));

    assertThat(violations()).isEmpty();
    assertThat(browser.driver().findElement(By.className("notice")).getText())
        .contains("its compliance is unknown");
  }

  @Test
  void isDarkForThoseWhoPreferThat() throws IOException {
    open(ViewSamples.few());
    var light = brightness();

    browser.media("screen", "dark");

    assertThat(light).isGreaterThan(0.8);
    assertThat(brightness()).isLessThan(0.1);
  }

  @Test
  void printsDarkOnWhiteWithoutControlsAndWithMoreRows() throws IOException {
    open(ViewSamples.ordinary(1_234));
    browser.media("print", "dark");

    assertThat(brightness()).isEqualTo(1);
    assertThat(browser.driver().findElement(By.id("filters")).isDisplayed()).isFalse();
    assertThat(browser.driver().findElement(By.id("pages")).isDisplayed()).isFalse();
    browser.media("", "light");
    browser.script(
        "window.printed = 0; addEventListener('beforeprint', () => {"
            + " window.printed = document.querySelectorAll('#rows tr').length; })");
    var paper = browser.printed();
    assertThat(new String(paper, 0, 5, UTF_8)).isEqualTo("%PDF-");
    Files.write(Browser.screenshots().resolve("print.pdf"), paper);
    assertThat(browser.script("return window.printed")).isEqualTo(1_000L);
    assertThat(rowsText()).hasSize(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 768, 1280})
  void thePageNeverScrollsSideways(int width) throws IOException {
    browser.size(width, 800);
    open(ViewSamples.ordinary(1_234), ViewSamples.ordinarySinceYesterday(folder, 1_234));
    browser.script("document.querySelectorAll('details').forEach(each => { each.open = true; })");

    assertThat(browser.script("return document.documentElement.scrollWidth"))
        .isEqualTo(browser.script("return document.documentElement.clientWidth"));
  }

  @Test
  void opensAndFiltersAHundredThousandFindingsInTurns() throws IOException {
    var some = ViewSamples.ordinary(1_000);
    var many =
        new FakeFindings(
            some.totals(),
            some.statistics(),
            some.sizes(),
            100_000,
            number -> some.finding().apply(number % 1_000));

    open(many);

    assertThat(browser.script("return document.getElementById('status').textContent"))
        .isEqualTo("100,000 findings, 1 to 100 shown");
    browser.script(
        "window.turns = 0; (function turn() { window.turns++; setTimeout(turn); })();"
            + " const search = document.getElementById('search');"
            + " search.value = 'no such text'; search.dispatchEvent(new Event('input'));"
            + " window.begun = window.turns");
    browser.awaitScript(
        "the search to end",
        "document.getElementById('status').textContent === '0 of 100,000 findings'");
    assertThat((Long) browser.script("return window.turns - window.begun"))
        .as("turns that the browser had for other things while the search went on")
        .isGreaterThan(3);
    browser.script(
        "search.value = ''; document.getElementById('sort-message').click();"
            + " window.begun = window.turns");
    awaitOrder("message", "ascending");
    assertThat((Long) browser.script("return window.turns - window.begun"))
        .as("turns that the browser had for other things while it sorted")
        .isGreaterThan(3);
  }

  @Test
  void thePageLooksAsOnTheScreenshots() throws IOException {
    open(ViewSamples.ordinary(1_234), ViewSamples.ordinarySinceYesterday(folder, 1_234));

    browser.screenshot("light");
    browser.media("screen", "dark");
    browser.screenshot("dark");
    browser.media("screen", "light");
    browser.script("document.querySelector('details').open = true;");
    browser.script("document.getElementById('findings').scrollIntoView()");
    browser.screenshot("light-findings");
    browser.script("document.getElementById('gone').scrollIntoView()");
    browser.screenshot("light-gone");
    browser.media("screen", "dark");
    browser.script("document.getElementById('findings').scrollIntoView()");
    browser.screenshot("dark-findings");
    browser.size(718, 1020);
    browser.media("print", "light");
    browser.screenshot("print-findings");
    browser.script("scrollTo(0, 0)");
    browser.screenshot("print");
    browser.media("screen", "light");
    size(PHONE);
    browser.script("scrollTo(0, 0)");
    browser.screenshot("phone");
    browser.script("document.getElementById('findings').scrollIntoView()");
    browser.screenshot("phone-findings");
    browser.script("document.getElementById('gone').scrollIntoView()");
    browser.screenshot("phone-gone");
    open(FakeFindings.none(Map.of()));
    browser.screenshot("phone-none");

    assertThat(Browser.screenshots()).isDirectoryContaining("glob:**light.png");
  }

  private static void size(String name) {
    if (name.equals(PHONE)) {
      browser.size(390, 844);
    } else {
      browser.size(1280, 900);
    }
  }

  private Path open(Findings findings) throws IOException {
    return open(findings, ViewSamples.CONTEXT);
  }

  private Path open(Findings findings, FindingContext context) throws IOException {
    var file = page(findings, context);
    browser.open(file);
    return file;
  }

  private Path page(Findings findings, FindingContext context) throws IOException {
    var file = folder.resolve("findings.html");
    try (var out = Files.newBufferedWriter(file, UTF_8)) {
      FindingsPage.write(findings, context, out);
    }
    return file;
  }

  private static void awaitOrder(String column, String direction) {
    browser.awaitScript(
        "the findings by " + column,
        "document.getElementById('sort-%s').parentElement.ariaSort === '%s'"
                .formatted(column, direction)
            + " && !document.getElementById('rows').hasAttribute('aria-busy')");
  }

  private static String heads(String attribute) {
    return String.valueOf(
        browser.script(
            "return [...document.querySelectorAll('[data-sort]')]"
                + ".map(head => head.getAttribute('%s')).join(' ')".formatted(attribute)));
  }

  /// With nothing but the key that goes on to the next control.
  private static void tabTo(String id) {
    for (var i = 0; i < 100; i++) {
      if (browser.script("return document.activeElement.id").equals(id)) {
        return;
      }
      type(Keys.TAB);
    }
    throw new AssertionError("no way to #" + id + " by keyboard");
  }

  private static void type(CharSequence keys) {
    browser.driver().switchTo().activeElement().sendKeys(keys);
  }

  private static String firstRow() {
    return rowsText().getFirst();
  }

  private static String rows() {
    return String.valueOf(
        browser.script(
            "return [...document.querySelectorAll('#rows tr')].map(row =>"
                + " row.outerHTML).join('\\n')"));
  }

  private static List<String> rowsText() {
    return String.valueOf(
            browser.script(
                "return [...document.querySelectorAll('#rows tr')]"
                    + ".map(row => row.innerText.replaceAll('\\n', ' ')).join('\\n')"))
        .lines()
        .toList();
  }

  /// From 0, black, to 1, white.
  private static double brightness() {
    return ((Number)
            browser.script(
                "const [r, g, b] = getComputedStyle(document.body).backgroundColor"
                    + ".match(/[0-9.]+/g).map(Number);"
                    + " return (r + g + b) / 765"))
        .doubleValue();
  }

  private static String violations() {
    return String.valueOf(browser.asyncScript(Axe.SCRIPT + Axe.RUN));
  }

  /// By the formula of WCAG 2.2, over every element that has text of its own.
  private static double lowestContrast() {
    return ((Number) browser.script(Axe.CONTRAST)).doubleValue();
  }
}
