{{- /* The labels of all objects. The first one is the label that the API's documentation tells people to use. */}}
{{- define "policy-sync.labels" -}}
app: kyverno-policy-sync
{{ include "policy-sync.common-labels" . }}
{{- end }}

{{- /* The labels of a CronJob, its Jobs and Pods. app: the label to find them by; command: what they run; root */}}
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
{{- range $name, $value := .Values.commonLabels }}
{{- if regexMatch "^(app|app.kubernetes.io/(component|name|instance|version|managed-by)|helm.sh/chart)$" $name }}
{{- fail (printf "commonLabels.%s is a label of the chart's own, by which its objects are found; leave it out" $name) }}
{{- end }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* The labels that select all Pods of the chart. */}}
{{- define "policy-sync.selector" -}}
app.kubernetes.io/name: kyverno-policy-sync
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Every five minutes, with a first minute for each cluster; startJitter adds the seconds. Consecutive numbers in the names of
a fleet get consecutive minutes (StartJitter has the same expression); the rest of the name decides the first one. */}}
{{- define "policy-sync.schedule" -}}
{{- $source := printf "%s/%s" .Values.insights.organization .Values.insights.cluster -}}
{{- $number := regexFind "[0-9]{1,9}[^0-9]*$" $source | regexFind "[0-9]+" | default "0" | atoi -}}
{{- $name := regexReplaceAll "[0-9]{1,9}([^0-9]*)$" $source "#${1}" -}}
{{- $minute := mod (add (adler32sum $name | int64) $number) 5 -}}
{{ .Values.schedule | default (printf "%d-59/5 * * * *" $minute) }}
{{- end }}

{{- /* Hourly, at a different minute for each cluster, so that a fleet does not upload at the same time. */}}
{{- define "policy-sync.report-schedule" -}}
{{- $minute := mod (printf "%s/%s" .Values.insights.organization .Values.insights.cluster | adler32sum | int64) 60 -}}
{{ .Values.report.schedule | default (printf "%d * * * *" $minute) }}
{{- end }}

{{- /* Whether anything is installed: the CronJob that syncs, the one that reports, or both. */}}
{{- define "policy-sync.installed" -}}
{{ if or .Values.enabled .Values.report.enabled }}true{{ end }}
{{- end }}

{{- /* An image's repository, in global.imageRegistry if that is set. repository; root */}}
{{- define "policy-sync.repository" -}}
{{- $registry := (.root.Values.global | default dict).imageRegistry -}}
{{ if $registry }}{{ trimSuffix "/" $registry }}/{{ regexReplaceAll "^[^/]*[.:][^/]*/" .repository "" }}{{ else }}{{ .repository }}{{ end }}
{{- end }}

{{- define "policy-sync.image" -}}
{{- with .Values.image -}}
{{- if and .tag .digest -}}
{{- fail "image.tag and image.digest are both set, and the digest alone decides: leave out one of them" -}}
{{- end -}}
{{- $digest := .digest | default (ternary "" (index $.Chart.Annotations "policysync.dev/image-digest") (not (empty .tag))) -}}
{{ include "policy-sync.repository" (dict "repository" .repository "root" $) }}{{ if $digest }}@{{ $digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "policy-sync.token-secret" -}}
{{ if .Values.insights.token }}kyverno-policy-sync-token{{ else }}{{ .Values.insights.tokenSecret.name }}{{ end }}
{{- end }}

{{- define "policy-sync.token-key" -}}
{{ if .Values.insights.token }}token{{ else }}{{ .Values.insights.tokenSecret.key }}{{ end }}
{{- end }}

{{- define "policy-sync.writing-verbs" -}}
list{{ if .Values.enabled }}, get, create, patch{{ if .Values.rbac.removals }}, delete{{ end }}{{ end }}
{{- end }}

{{- /* Existing policies are still compared if their kind must not be written. */}}
{{- define "policy-sync.cleanup-verbs" -}}
{{ if and .Values.enabled (not .Values.rbac.cleanupPolicies) }}list, get{{ else }}{{ include "policy-sync.writing-verbs" . }}{{ end }}
{{- end }}

{{- /* The kinds that the agent neither lists nor writes, separated by commas: those of excludeKinds, and with the profile
validating all that change or delete resources. */}}
{{- define "policy-sync.excluded-kinds" -}}
{{- $changing := list "ClusterPolicy" "Policy" "CleanupPolicy" "ClusterCleanupPolicy" "MutatingPolicy" "NamespacedMutatingPolicy" "GeneratingPolicy" "NamespacedGeneratingPolicy" "DeletingPolicy" "NamespacedDeletingPolicy" "MutatingAdmissionPolicy" "MutatingAdmissionPolicyBinding" -}}
{{- concat .Values.excludeKinds (ternary $changing list (eq .Values.rbac.profile "validating")) | uniq | join "," -}}
{{- end }}

{{- /* A rule for policies. root; group; kinds: the kinds by resource; verbs */}}
{{- define "policy-sync.policy-rule" -}}
{{- $excluded := ternary (splitList "," (include "policy-sync.excluded-kinds" .root)) list .root.Values.enabled -}}
{{- $allowed := list -}}
{{- $listed := list -}}
{{- range $resource, $kind := .kinds -}}
{{- if or (has $kind $excluded) (has (printf "%s.%s" $kind $.group) $excluded) -}}
{{- $listed = append $listed $resource -}}
{{- else -}}
{{- $allowed = append $allowed $resource -}}
{{- end -}}
{{- end -}}
{{- if $allowed }}
  - apiGroups: [{{ .group }}]
    resources: [{{ join ", " $allowed }}]
    verbs: [{{ .verbs }}]
{{- end }}
{{- if and $listed .root.Values.report.enabled }}
  # Excluded from the sync; the report shows their results.
  - apiGroups: [{{ .group }}]
    resources: [{{ join ", " $listed }}]
    verbs: [list]
{{- end }}
{{- end }}

{{- /* Converts a duration in Go's notation with whole numbers, such as 1m30s, to milliseconds. */}}
{{- define "policy-sync.milliseconds" -}}
{{- $sum := 0 -}}
{{- range regexFindAll "[0-9]+(ms|h|m|s)" . -1 -}}
{{- $unit := index (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000) (regexFind "[a-z]+" .) -}}
{{- $sum = add $sum (mul (regexFind "[0-9]+" . | int64) $unit) -}}
{{- end -}}
{{ $sum }}
{{- end }}

{{- /* The agent itself stops at timeout and reports that to the API; a Job that reaches its deadline before that is killed. */}}
{{- define "policy-sync.active-deadline" -}}
{{- if not (kindIs "string" .Values.timeout) -}}
{{- fail (printf "timeout is %v, without a unit; write %vs for seconds" .Values.timeout .Values.timeout) -}}
{{- end -}}
{{- $timeout := include "policy-sync.milliseconds" .Values.timeout | int64 -}}
{{- $jitter := include "policy-sync.milliseconds" .Values.startJitter | int64 -}}
{{- $seconds := div (add $timeout 999) 1000 -}}
{{- if or (eq $timeout 0) (gt $timeout 3600000) -}}
{{- fail (printf "timeout is %s; a run has more than 0 and at most 1h" .Values.timeout) -}}
{{- else if ge $jitter $timeout -}}
{{- fail (printf "startJitter is %s and timeout %s, from which that wait is taken, so that a run might have no time left; choose less" .Values.startJitter .Values.timeout) -}}
{{- else if kindIs "invalid" .Values.activeDeadlineSeconds -}}
{{ add $seconds 60 }}
{{- else if le (int64 .Values.activeDeadlineSeconds) $seconds -}}
{{- fail (printf "activeDeadlineSeconds is %v and ends a Job before its run may end, timeout: %s; choose more, or null for a minute more" .Values.activeDeadlineSeconds .Values.timeout) -}}
{{- else -}}
{{ .Values.activeDeadlineSeconds }}
{{- end -}}
{{- end }}

{{- /* The image pull secrets of the chart and of all charts (global). */}}
{{- define "policy-sync.pull-secrets" -}}
{{- range concat (($.Values.global | default dict).imagePullSecrets | default list) $.Values.imagePullSecrets }}
- name: {{ if kindIs "string" . }}{{ . }}{{ else }}{{ .name }}{{ end }}
{{- end }}
{{- end }}

{{- /* A security context, without user and groups if OpenShift sets them. */}}
{{- define "policy-sync.security-context" -}}
{{- $adapt := .root.Values.adaptSecurityContext | default "auto" -}}
{{- if or (eq $adapt "force") (and (eq $adapt "auto") (.root.Capabilities.APIVersions.Has "security.openshift.io/v1")) -}}
{{- omit .context "runAsUser" "runAsGroup" "fsGroup" | toYaml -}}
{{- else -}}
{{- toYaml .context -}}
{{- end -}}
{{- end }}

{{- /* The path from which a command reads the policies, if not from the API. root; command */}}
{{- define "policy-sync.from" -}}
{{- with .root.Values.source -}}
{{- if and (ne $.command "report") (or .oci.artifact .configMapName .volume) -}}
/etc/policy-sync/policies{{ with .path }}/{{ . }}{{ end }}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* The volume with these policies. */}}
{{- define "policy-sync.source-volume" -}}
{{- with .Values.source -}}
{{- if .oci.artifact -}}
emptyDir: {sizeLimit: 64Mi}
{{- else if .configMapName -}}
configMap: {name: {{ .configMapName }}}
{{- else -}}
{{ toYaml .volume }}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* The init container that pulls the artifact with the policies. root; resources */}}
{{- define "policy-sync.pull" -}}
{{- $values := .root.Values -}}
- name: pull-policies
  image: {{ include "policy-sync.repository" (dict "repository" $values.source.oci.image "root" .root) | quote }}
  imagePullPolicy: {{ $values.image.pullPolicy }}
  args:
    - pull
    - {{ $values.source.oci.artifact | quote }}
    - --output=/policies
    - --no-tty
    {{- if $values.source.oci.pullSecretName }}
    - --registry-config=/registry/config.json
    {{- end }}
  {{- with $values.securityContext }}
  securityContext:
    {{- include "policy-sync.security-context" (dict "root" $.root "context" .) | nindent 4 }}
  {{- end }}
  {{- with .resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  env:
    {{- range $name, $value := dict "HTTPS_PROXY" $values.proxy.https "HTTP_PROXY" $values.proxy.http "NO_PROXY" $values.proxy.noProxy }}
    {{- with $value }}
    - {name: {{ $name }}, value: {{ . | quote }}}
    {{- end }}
    {{- end }}
    {{- range $values.extraEnv }}
    {{- if hasSuffix "_PROXY" (upper .name) }}
    - {{ toJson . }}
    {{- end }}
    {{- end }}
    {{- if or $values.caBundle.secretName $values.caBundle.configMapName }}
    - {name: SSL_CERT_FILE, value: /etc/policy-sync/ca/ca.crt}
    {{- end }}
    # The container writes only to the volume.
    - {name: HOME, value: /policies}
  volumeMounts:
    - {name: policies, mountPath: /policies}
    {{- if $values.source.oci.pullSecretName }}
    - {name: registry, mountPath: /registry, readOnly: true}
    {{- end }}
    {{- if or $values.caBundle.secretName $values.caBundle.configMapName }}
    - {name: ca, mountPath: /etc/policy-sync/ca, readOnly: true}
    {{- end }}
{{- end }}

{{- /* The egress that the Pods need: name servers, API servers, the API or the registry, the proxies, and the Pushgateway. */}}
{{- define "policy-sync.egress" -}}
- ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
    - {port: 5353, protocol: UDP}
    - {port: 5353, protocol: TCP}
{{- $ports := list "443" "6443" }}
{{- $from := include "policy-sync.from" (dict "root" . "command" "sync") }}
{{- $api := ternary "" .Values.insights.host (and (ne $from "") (not .Values.report.enabled)) }}
{{- $registry := regexFind "^[^/]+" (((.Values.source).oci).artifact | default "") }}
{{- range list $api (empty $registry | ternary "" (print "https://" $registry)) .Values.proxy.https .Values.proxy.http .Values.metrics.pushUrl }}
{{- with regexFind "^https?://[^/]*" . }}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" .) | default (ternary "80" "443" (hasPrefix "http://" .)) }}
{{- $ports = append $ports $port }}
{{- end }}
{{- end }}
- ports:
    {{- range uniq $ports }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- end }}

{{- /* Whether the report has pinned settings of its own. */}}
{{- define "policy-sync.pins-report-apart" -}}
{{ if and .Values.report.enabled (or .Values.dryRun .Values.report.overrides.extraEnv) }}true{{ end }}
{{- end }}

{{- /* The settings that an on-demand Job must not override, as lines NAME=VALUE.
root; extraEnv: the additional variables of the CronJob */}}
{{- define "policy-sync.pinned" -}}
{{- $extraEnv := .extraEnv }}
{{- with .root }}
{{- $organization := required "insights.organization is required: the organization name in the API" .Values.insights.organization }}
{{- $cluster := required "insights.cluster is required: the cluster name in the API" .Values.insights.cluster }}
{{- /* Variables of extraEnv are not pinned: their values may be unknown here, such as a proxy's URL with a password from a Secret. */}}
{{- $own := list }}
{{- range $extraEnv }}{{ $own = append $own (upper .name) }}{{ end }}
FAIRWINDS_INSIGHTS_HOST={{ .Values.insights.host }}
FAIRWINDS_ORG={{ $organization }}
FAIRWINDS_CLUSTER={{ $cluster }}
FAIRWINDS_TOKEN_FILE=/etc/policy-sync/token/token
NAMESPACE={{ .Release.Namespace }}
MAX_REMOVALS={{ if .Values.rbac.removals }}{{ .Values.maxRemovals }}{{ else }}0{{ end }}
ADOPT={{ .Values.adopt }}
LINT={{ .Values.lint | default "off" }}
ENFORCE_GUARD={{ .Values.enforceGuard | default "off" }}
ENFORCE_GUARD_THRESHOLD={{ .Values.enforceGuardThreshold }}
CONVERT={{ .Values.convert | default "off" }}
CONVERT_REHEARSAL={{ .Values.convertRehearsal }}
APPROVED_FEED={{ .Values.approvedFeed }}
EXCLUDE_KINDS={{ include "policy-sync.excluded-kinds" . }}
SEND_FAILURES={{ .Values.report.sendFailures }}
REPORT_RESULTS={{ .Values.report.results }}
REPORT_TITLES={{ .Values.report.titles }}
ALLOW_HTTP={{ .Values.allowHttp }}
ALLOW_JVM_OPTIONS={{ not (empty .Values.javaOptions) }}
{{- with .Values.javaOptions }}
_JAVA_OPTIONS={{ . }}
{{- end }}
{{- $ca := ternary "/etc/policy-sync/ca/ca.crt" "" (not (and (empty .Values.caBundle.secretName) (empty .Values.caBundle.configMapName))) }}
{{- range $name, $value := dict "HTTPS_PROXY" .Values.proxy.https "HTTP_PROXY" .Values.proxy.http "NO_PROXY" .Values.proxy.noProxy "SSL_CERT_FILE" $ca "METRICS_PUSH_URL" .Values.metrics.pushUrl "METRICS_FILE" .Values.metrics.file }}
{{- if not (has $name $own) }}
{{ $name }}={{ $value }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
