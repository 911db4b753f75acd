package dev.policysync.cluster;

import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/// How to reach one API server.
///
/// @param server its base URL
/// @param http a client that trusts its certificate and authenticates every request by itself
/// @param namespace where this agent lives, if that is known
public record ClusterConnection(HttpUrl server, OkHttpClient http, String namespace) {}
