package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.base.Json;
import dev.policysync.policy.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A cluster made of texts: a page is a JSON array of objects.
final class FakeReportSource implements ReportSource {
  private final Map<ReportKind, List<String>> reports = new EnumMap<>(ReportKind.class);
  private final Map<PolicyKind, List<String>> policies = new EnumMap<>(PolicyKind.class);
  private final List<String> broken = new ArrayList<>();
  private Optional<String> refused = Optional.empty();
  private Optional<String> version = Optional.empty();

  /// Serves a kind of reports, with these objects more on a page of their own.
  FakeReportSource with(ReportKind kind, String... objects) {
    reports.computeIfAbsent(kind, _ -> new ArrayList<>()).add(page(objects));
    return this;
  }

  /// Serves a kind of policies, with these objects more on a page of their own.
  FakeReportSource with(PolicyKind kind, String... objects) {
    policies.computeIfAbsent(kind, _ -> new ArrayList<>()).add(page(objects));
    return this;
  }

  /// Shows these objects of every list of reports first, and then begins that list anew.
  FakeReportSource breakingOffAfter(String... objects) {
    broken.add(page(objects));
    return this;
  }

  /// Refuses to list a kind.
  FakeReportSource refusing(String qualified) {
    refused = Optional.of(qualified);
    return this;
  }

  FakeReportSource withKyverno(String name) {
    version = Optional.of(name);
    return this;
  }

  private static String page(String... objects) {
    return "[" + String.join(",", objects) + "]";
  }

  @Override
  public Kinds kinds() {
    var ofReports = new EnumMap<ReportKind, String>(ReportKind.class);
    reports.keySet().forEach(kind -> ofReports.put(kind, "v1alpha2"));
    var ofPolicies = new EnumMap<PolicyKind, String>(PolicyKind.class);
    policies.keySet().forEach(kind -> ofPolicies.put(kind, "v1"));
    return new Kinds(ofReports, ofPolicies);
  }

  @Override
  public <P extends PageReader> List<P> list(ReportKind kind, String version, Supplier<P> page) {
    refuse(kind.qualified());
    broken.forEach(text -> read(page.get(), text));
    return reports.getOrDefault(kind, List.of()).stream()
        .map(text -> read(page.get(), text))
        .toList();
  }

  @Override
  public <P extends PageReader> List<P> list(
      PolicyKind kind, String version, Extent extent, Supplier<P> page) {
    refuse(kind.qualified());
    return policies.getOrDefault(kind, List.of()).stream()
        .map(text -> read(page.get(), text))
        .toList();
  }

  private void refuse(String qualified) {
    if (refused.filter(qualified::equals).isPresent()) {
      throw new CollectionFailed("list " + qualified + ": HTTP 403, forbidden");
    }
  }

  @Override
  public Optional<String> kyvernoVersion() {
    return version;
  }

  private static <P extends PageReader> P read(P page, String text) {
    try (var parser = Json.parser(new ByteArrayInputStream(text.getBytes(UTF_8)))) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        page.object(parser);
      }
      return page;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
