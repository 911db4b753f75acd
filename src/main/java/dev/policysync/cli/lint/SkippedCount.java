package dev.policysync.cli.lint;

import dev.policysync.policy.feed.SkippedDocument;
import dev.policysync.policy.feed.SkippedDocument.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/// One line about the documents that are not policies, and how to render those that contain
/// policies.
final class SkippedCount {
  private static final int KINDS = 3;

  private SkippedCount() {}

  /// Returns the line, or an empty text if nothing was skipped: `skipped, as no policies: of other
  /// kinds 4 (Deployment), …`.
  static String of(List<SkippedDocument> skipped) {
    if (skipped.isEmpty()) {
      return "";
    }
    var parts = new ArrayList<String>();
    count(skipped, What.OTHER_KIND)
        .ifPositive(count -> parts.add("of other kinds " + count + kinds(skipped)));
    count(skipped, What.NO_OBJECT)
        .ifPositive(count -> parts.add("without apiVersion and kind " + count));
    count(skipped, What.HELM_TEMPLATE)
        .ifPositive(count ->
            parts.add("Helm templates " + count + " (helm template CHART | policy-sync lint -)"));
    count(skipped, What.KUSTOMIZATION)
        .ifPositive(count ->
            parts.add("kustomizations " + count + " (kustomize build DIR | policy-sync lint -)"));
    count(skipped, What.TEST).ifPositive(count -> parts.add("parts of tests " + count));
    count(skipped, What.KUSTOMIZE_PATCH)
        .ifPositive(count -> parts.add("kustomize patches " + count));
    return "skipped, as no policies: " + String.join(", ", parts);
  }

  private record Count(long documents) {
    private void ifPositive(LongConsumer action) {
      if (documents > 0) {
        action.accept(documents);
      }
    }
  }

  private static Count count(List<SkippedDocument> skipped, What what) {
    return new Count(skipped.stream().filter(document -> document.what() == what).count());
  }

  private static String kinds(List<SkippedDocument> skipped) {
    Map<String, Long> counts =
        skipped.stream()
            .filter(document -> document.what() == What.OTHER_KIND)
            .map(SkippedDocument::kind)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    var most =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(KINDS)
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return " (" + most + (counts.size() > KINDS ? ", …" : "") + ")";
  }
}
