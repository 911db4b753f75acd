{{- /* What the API's documentation tells people to use comes first. */}}
{{- define "policy-sync.labels" -}}
app: kyverno-policy-sync
{{ include "policy-sync.common-labels" . }}
{{- end }}

{{- /* Of a CronJob, its Jobs and Pods. app: how they are found; command: what they run; root */}}
{{- define "policy-sync.job-labels" -}}
app: {{ .app }}
app.kubernetes.io/component: {{ .command }}
{{ include "policy-sync.common-labels" .root }}
{{- end }}

{{- define "policy-sync.common-labels" -}}
{{ include "policy-sync.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | regexFind "^.{0,62}[A-Za-z0-9]" }}
{{- end }}

{{- /* What all our Pods are found by. */}}
{{- define "policy-sync.selector" -}}
app.kubernetes.io/name: kyverno-policy-sync
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Hourly, at a minute of its own, so that a fleet does not upload at once. */}}
{{- define "policy-sync.report-schedule" -}}
{{- $minute := mod (printf "%s/%s" .Values.insights.organization .Values.insights.cluster | adler32sum | int64) 60 -}}
{{ .Values.report.schedule | default (printf "%d * * * *" $minute) }}
{{- end }}

{{- define "policy-sync.image" -}}
{{- with .Values.image -}}
{{- if and .tag .digest -}}
{{- fail (printf "image.tag and image.digest are both set, and the digest alone decides: leave out the tag, or the digest (--set image.digest=), which a released chart has (%s)" .digest) -}}
{{- end -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "policy-sync.token-secret" -}}
{{ if .Values.insights.token }}kyverno-policy-sync-token{{ else }}{{ .Values.insights.tokenSecret.name }}{{ end }}
{{- end }}

{{- define "policy-sync.token-key" -}}
{{ if .Values.insights.token }}token{{ else }}{{ .Values.insights.tokenSecret.key }}{{ end }}
{{- end }}

{{- define "policy-sync.writing-verbs" -}}
list, get, create, patch{{ if .Values.rbac.removals }}, delete{{ end }}
{{- end }}

{{- /* Policies that are there already are still compared where their kind must not be written. */}}
{{- define "policy-sync.cleanup-verbs" -}}
{{ if .Values.rbac.cleanupPolicies }}{{ include "policy-sync.writing-verbs" . }}{{ else }}list, get{{ end }}
{{- end }}
