package dev.policysync.cli.settings;

import dev.policysync.base.Secret;
import java.net.URI;

/// The address of the remote API, and our identity and token there.
///
/// @param host the base URL, `https://insights.example.com`
public record ApiSettings(URI host, Secret token, String organization, String cluster) {}
