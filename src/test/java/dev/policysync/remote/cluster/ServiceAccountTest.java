package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceAccountTest {
  @TempDir private Path folder;
  private final List<String> seen = new ArrayList<>();
  private ServiceAccount account;

  @BeforeEach
  void mount() throws IOException {
    account = new ServiceAccount(folder);
    writeToken("first\n");
  }

  @Test
  void signsEachRequestWithTheTokenOfThatMoment() throws IOException {
    var http = client(_ -> 200);
    call(http);
    writeToken("second");

    call(http);

    assertThat(seen).containsExactly("Bearer first", "Bearer second");
  }

  @Test
  void readsARefusedTokenOnceMore() throws IOException {
    var http =
        client(token -> {
          writeToken("second");
          return token.endsWith("first") ? 401 : 200;
        });

    var status = call(http);

    assertThat(status).isEqualTo(200);
    assertThat(seen).containsExactly("Bearer first", "Bearer second");
  }

  @Test
  void doesNotRepeatARequestWithTheTokenThatWasRefused() throws IOException {
    var http = client(_ -> 401);

    var status = call(http);

    assertThat(status).isEqualTo(401);
    assertThat(seen).containsExactly("Bearer first");
  }

  @Test
  void namesTheFileOfABrokenTokenAndShowsNothingOfIt() throws IOException {
    writeToken("broken\u0001token");
    var http = client(_ -> 200);

    assertThatThrownBy(() -> call(http))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the ServiceAccount's token in %s contains a character that is not printable ASCII",
            folder.resolve("token"));
  }

  @Test
  void isAbsentWhereThereIsNoToken() {
    assertThat(new ServiceAccount(folder.resolve("nothing")).present()).isFalse();
  }

  private void writeToken(String token) throws IOException {
    Files.writeString(folder.resolve("token"), token);
  }

  private int call(OkHttpClient http) throws IOException {
    try (var response =
        http.newCall(new Request.Builder().url("https://api.example/").build()).execute()) {
      return response.code();
    }
  }

  private OkHttpClient client(Server server) {
    Interceptor answering =
        chain -> {
          var authorization = String.valueOf(chain.request().header("Authorization"));
          seen.add(authorization);
          return new Response.Builder()
              .request(chain.request())
              .protocol(Protocol.HTTP_2)
              .code(server.status(authorization))
              .message("")
              .body(ResponseBody.EMPTY)
              .build();
        };
    return new OkHttpClient.Builder()
        .addInterceptor(account.token())
        .addInterceptor(answering)
        .build();
  }

  private interface Server {
    int status(String authorization) throws IOException;
  }
}
