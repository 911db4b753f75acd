# The agent with a Java runtime of only the modules that it uses, and a class cache recorded by the
# same runtime at the same paths as in the last stage: Java rejects any other cache.
#
# The files come from target/, where `make build` writes them, so that the image contains the jar
# that was tested; `make image` runs both.

# The last stage contains only the first stage's /app and the C library that it needs: no shell, no
# package manager, no users.
ARG JDK=docker.io/library/eclipse-temurin:25.0.4_7-jdk@sha256:97014c4b396021f9ddb7d592a7dbedb0c4e4215c29e03dc01c393558aefb71c2

FROM ${JDK} AS build
# Scanners recognize a Java runtime by its release file, which names its vendor and version.
RUN jlink --output /app/runtime --release-info="${JAVA_HOME}/release" \
      --add-modules java.base,java.logging,java.naming,java.xml,jdk.unsupported \
      --compress zip-9 --strip-debug --no-header-files --no-man-pages
COPY dev/dist/java.options /app/java.options
COPY target/dist/policy-sync.jar /app/policy-sync.jar
COPY target/dist/lib target/training /training/lib/
# A third of the program is needed only for a kubeconfig; a Pod has a ServiceAccount.
RUN mkdir /app/lib && cd /app/lib && cp -p /training/lib/*.jar . \
    && rm client-java-*.jar bcpkix-*.jar bcprov-*.jar bcutil-*.jar commons-codec-*.jar \
      commons-collections4-*.jar commons-compress-*.jar commons-io-*.jar commons-lang3-*.jar \
      error_prone_annotations-*.jar gson-*.jar jakarta.annotation-api-*.jar jose4j-*.jar \
      logging-interceptor-*.jar swagger-annotations-*.jar wiremock-*.jar
COPY examples/policies /training/examples/policies
COPY dev/java.options /training/java.options
COPY src/tools/java /training/tools
WORKDIR /training
RUN java -XX:TieredStopAtLevel=1 @java.options -classpath '/app/policy-sync.jar:/training/lib/*' \
      tools/dev/policysync/dist/ImageCache.java /app \
    # These programs could be started, and are not needed: the training run was the last one to
    # start another process.
    && rm /app/runtime/bin/keytool /app/runtime/lib/jexec /app/runtime/lib/jspawnhelper \
    # Two files for other programs, and a library (only on x86) for the compiler that java.options
    # turns off.
    && rm -f /app/runtime/lib/jrt-fs.jar /app/runtime/lib/classlist /app/runtime/lib/libsimdsort.so

# The libraries that the runtime is linked with, and dpkg's data about their packages: from that and
# os-release, scanners know their versions and the system.
RUN mkdir -p /glibc/etc /glibc/var/lib/dpkg/status.d && cp -L /etc/os-release /glibc/etc/os-release \
    && ldd /app/runtime/bin/java $(find /app/runtime/lib -name '*.so') | grep -o '/[^ ]*\.so[^ ]*' \
      | grep -v '^/app' | sort -u \
      | while read -r library; do \
          mkdir -p "/glibc${library%/*}" && cp -L "$library" "/glibc$library" \
            && package=$(dpkg-query --search "*/${library##*/}" | sed 's/: .*//' | head -n 1) \
            && dpkg-query --status "$package" >"/glibc/var/lib/dpkg/status.d/${package%%:*}" || exit 1; \
        done

FROM scratch
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="policy-sync" \
      org.opencontainers.image.description="Keeps a cluster's Kyverno policies equal to what an Insights-style API expects" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/policy-sync/policy-sync" \
      org.opencontainers.image.documentation="https://github.com/policy-sync/policy-sync/tree/v${VERSION}/docs" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /glibc /
COPY --from=build /app /app
COPY LICENSE /app/LICENSE
# A number, so that a cluster can verify that the user is not root.
USER 65532:65532
WORKDIR /app
# The image has no shell: Java itself reads the flags from a file.
ENTRYPOINT ["/app/runtime/bin/java", "@/app/java.options", "-XX:AOTCache=/app/policy-sync.aot", "-jar", "/app/policy-sync.jar"]
