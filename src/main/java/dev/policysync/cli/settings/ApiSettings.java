package dev.policysync.cli.settings;

import dev.policysync.base.Secret;
import java.net.URI;

/// Where the remote API is and who we are to it.
///
/// @param host its base URL, `https://insights.example.com`
public record ApiSettings(URI host, Secret token, String organization, String cluster) {}
