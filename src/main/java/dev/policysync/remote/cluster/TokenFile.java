package dev.policysync.remote.cluster;

import dev.policysync.base.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import okhttp3.Interceptor;
import okhttp3.Response;

/// Adds a token to each request, read from disk each time. After a 401, the file is read again, and
/// the request is repeated if the token was replaced in between.
///
/// @param name the token's name in messages: `the ServiceAccount's token`
record TokenFile(Path file, String name) implements Interceptor {
  @Override
  public Response intercept(Chain chain) throws IOException {
    var token = token();
    var response = signed(chain, token);
    if (response.code() != 401) {
      return response;
    }
    var fresh = token();
    if (fresh.equals(token)) {
      return response;
    }
    response.close();
    return signed(chain, fresh);
  }

  private static Response signed(Chain chain, String token) throws IOException {
    return chain.proceed(
        chain.request().newBuilder().header("Authorization", "Bearer " + token).build());
  }

  private String token() throws IOException {
    try {
      return Secret.of(Files.readString(file)).reveal();
    } catch (IllegalArgumentException e) {
      throw new Unreachable.Explained(name + " in " + file + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new Unreachable.Explained(name + " cannot be read from " + file, e);
    }
  }
}
