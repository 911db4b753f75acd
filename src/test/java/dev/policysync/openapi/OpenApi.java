package dev.policysync.openapi;

import static java.util.stream.Collectors.toMap;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// docs/api/openapi.yaml: what the agent sends to its API, as servers are told.
public final class OpenApi {
  private static final Path FILE = Path.of("docs", "api", "openapi.yaml");

  private final Value.Mapping document;

  private OpenApi(Value.Mapping document) {
    this.document = document;
  }

  public static OpenApi read() {
    try {
      return new OpenApi(Documents.yaml(Files.readString(FILE)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + FILE, e);
    }
  }

  /// One call that a server answers.
  ///
  /// @param template `/v0/organizations/{organization}/…`
  /// @param method `GET`
  public record Operation(String template, String method, Value.Mapping content) {
    boolean answers(String askedMethod, String path) {
      var segments = template.split("/", -1);
      var asked = path.split("/", -1);
      if (!method.equals(askedMethod) || segments.length != asked.length) {
        return false;
      }
      for (var at = 0; at < segments.length; at++) {
        if (!segments[at].startsWith("{") && !segments[at].equals(asked[at])) {
          return false;
        }
      }
      return true;
    }
  }

  List<Operation> operations() {
    return document.mapping("paths").fields().entrySet().stream()
        .flatMap(path ->
            ((Value.Mapping) path.getValue())
                .fields().entrySet().stream()
                    .map(entry ->
                        new Operation(
                            path.getKey(),
                            entry.getKey().toUpperCase(Locale.ROOT),
                            (Value.Mapping) entry.getValue())))
        .toList();
  }

  /// The operation of a request.
  Optional<Operation> of(String method, String path) {
    return operations().stream().filter(operation -> operation.answers(method, path)).findFirst();
  }

  /// The headers of an operation by their names, each with all that is said of it.
  Map<String, Value.Mapping> headers(Operation operation) {
    return operation.content().mappings("parameters").stream()
        .map(this::followed)
        .filter(parameter -> parameter.text("in").orElse("").equals("header"))
        .collect(toMap(parameter -> parameter.text("name").orElseThrow(), parameter -> parameter));
  }

  private Value.Mapping followed(Value.Mapping parameter) {
    return parameter
        .text("$ref")
        .map(reference ->
            document
                .mapping("components")
                .mapping("parameters")
                .mapping(reference.substring(reference.lastIndexOf('/') + 1)))
        .orElse(parameter);
  }

  /// What is wrong with a body by one of the schemas: `Report`.
  public List<String> problems(String schema, String body) {
    var reference = new Value.Text("#/components/schemas/" + schema);
    return problems(new Value.Mapping(Map.of("$ref", reference)), body);
  }

  /// What is wrong with JSON by a schema, which may refer to this document's.
  List<String> problems(Value.Mapping schema, String json) {
    var whole = schema.with("components", document.mapping("components"));
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(CanonicalJson.write(whole))
        .validate(json, InputFormat.JSON)
        .stream()
        .map(ValidationMessage::getMessage)
        .toList();
  }
}
