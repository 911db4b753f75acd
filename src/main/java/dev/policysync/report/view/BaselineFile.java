package dev.policysync.report.view;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.function.Consumer;

/// Reads a document that `report -o json` wrote, finding by finding. Its fields may be in any
/// order, since a JSON tool may have sorted them.
final class BaselineFile {
  private final Path path;

  BaselineFile(Path path) {
    this.path = path;
  }

  /// The document's fields about itself.
  ///
  /// @param cluster empty if the document names none
  record Head(String cluster, Instant at) {}

  /// Passes on each finding in turn.
  ///
  /// @throws UnreadableBaseline if the file cannot be read or has other content
  Head read(Consumer<EarlierFinding> each) {
    // The file is read twice, so a pipe is not possible.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new UnreadableBaseline(
          path + " is not a regular file; write the report into one first");
    }
    try (var stream = new BufferedInputStream(Files.newInputStream(path));
        var parser = Json.parser(stream)) {
      return document(parser, each);
    } catch (JsonEOFException _) {
      throw other("it ends in the middle");
    } catch (JsonProcessingException e) {
      var location = e.getLocation();
      throw other(
          location == null ? "it is not JSON" : "it is not JSON at line " + location.getLineNr());
    } catch (IOException e) {
      throw new UnreadableBaseline("cannot read " + path + ": " + reason(e), e);
    }
  }

  private Head document(JsonParser parser, Consumer<EarlierFinding> each) throws IOException {
    var first = parser.nextToken();
    if (first == null) {
      throw other("it is empty");
    }
    if (first != JsonToken.START_OBJECT) {
      throw other("it is not one JSON object");
    }
    var head = new LinkedHashMap<String, Value>();
    var complete = false;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var field = String.valueOf(parser.currentName());
      var token = parser.nextToken();
      switch (field) {
        case "findings" -> {
          findings(parser, token, each);
          complete = true;
        }
        case "cluster", "at" -> head.put(field, Json.next(parser));
        default -> parser.skipChildren();
      }
    }
    var of = new Value.Mapping(head);
    if (!complete) {
      throw other("it has no list of findings");
    }
    return new Head(
        of.text("cluster").orElse(""),
        EarlierFinding.time(of, "at").orElseThrow(() -> other("it does not say when it was")));
  }

  private void findings(JsonParser parser, JsonToken token, Consumer<EarlierFinding> each)
      throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw other("its findings are not a list");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!(Json.next(parser) instanceof Value.Mapping finding)
          || finding.text("policy").isEmpty()) {
        throw other("its findings are not those of a report");
      }
      each.accept(EarlierFinding.of(finding));
    }
  }

  private UnreadableBaseline other(String why) {
    return new UnreadableBaseline(path + " is not what 'policy-sync report -o json' wrote: " + why);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
