#!/bin/sh
# Runs a sync now, from the CronJob's template, and follows its log. It uses the same Lease as
# scheduled runs, so nothing is written twice.
#
# Usage: examples/run-now.sh [NAMESPACE]
set -eu

namespace=${1:-insights-agent}
job=kyverno-policy-sync-by-hand-$(date +%s)

kubectl create job "$job" --from=cronjob/kyverno-policy-sync --namespace="$namespace"
kubectl logs "job/$job" --namespace="$namespace" --follow --pod-running-timeout=2m
