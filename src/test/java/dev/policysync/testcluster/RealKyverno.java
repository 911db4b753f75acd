package dev.policysync.testcluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test of [RealCluster] that meets a real Kyverno, too: its [Sandbox] is in a cluster with
/// Kyverno's controllers, and the test or its set-up method may ask for the [Kyverno] itself.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@RealCluster
public @interface RealKyverno {}
