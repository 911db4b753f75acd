module policysync.dev/dev/cluster/crds

go 1.26.5

require (
	github.com/kyverno/kyverno v1.19.0
	github.com/openreports/reports-api v0.2.1
)
