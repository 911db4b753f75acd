{{- define "policy-sync.labels" -}}
{{ include "policy-sync.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* What Pods are found by; the first is what the API's documentation tells people to use. */}}
{{- define "policy-sync.selector" -}}
app: kyverno-policy-sync
app.kubernetes.io/name: kyverno-policy-sync
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "policy-sync.image" -}}
{{- with .Values.image -}}
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
