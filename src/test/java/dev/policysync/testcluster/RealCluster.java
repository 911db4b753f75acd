package dev.policysync.testcluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that meets a real API server. One is started for the whole test run; each test gets a
/// [Sandbox] in it, as a parameter of the test or of its set-up method.
///
/// Where the API server cannot be had the test fails, and says what to install; it never skips.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RealClusterExtension.class)
public @interface RealCluster {}
