{{- /* The spec of a Pod that runs one command.
root: the chart's root context; command: sync, report or check; resources: the container's resources */}}
{{- define "policy-sync.pod" -}}
{{- $root := .root -}}
{{- $from := include "policy-sync.from" . -}}
{{- $pulls := and $from (($root.Values.source).oci).artifact -}}
serviceAccountName: {{ $root.Values.serviceAccount.name }}
automountServiceAccountToken: true
restartPolicy: Never
terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
enableServiceLinks: false
{{- with $root.Values.podSecurityContext }}
securityContext:
  {{- include "policy-sync.security-context" (dict "root" $root "context" .) | nindent 2 }}
{{- end }}
{{- with include "policy-sync.pull-secrets" $root }}
imagePullSecrets:
  {{- trim . | nindent 2 }}
{{- end }}
{{- with $root.Values.dnsPolicy }}
dnsPolicy: {{ . }}
{{- end }}
{{- with $root.Values.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- $global := $root.Values.global | default dict }}
{{- with merge dict ($root.Values.nodeSelector | default dict) ($global.nodeSelector | default dict) }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat ($root.Values.tolerations | default list) ($global.tolerations | default list) }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.affinity | default $global.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.podSpec }}
{{ toYaml . }}
{{- end }}
{{- if or $pulls $root.Values.initContainers }}
initContainers:
  {{- with $root.Values.initContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if $pulls }}
  {{- include "policy-sync.pull" . | nindent 2 }}
  {{- end }}
{{- end }}
containers:
  - name: policy-sync
    image: {{ include "policy-sync.image" $root | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args: [{{ .command }}{{ with $from }}, {{ print "--from=" . | quote }}{{ end }}{{ if ne .command "check" }}{{ range $root.Values.extraArgs }}, {{ . | quote }}{{ end }}{{ end }}]
    terminationMessagePolicy: FallbackToLogsOnError
    {{- with $root.Values.securityContext }}
    securityContext:
      {{- include "policy-sync.security-context" (dict "root" $root "context" .) | nindent 6 }}
    {{- end }}
    {{- with ((.resources).limits).memory }}
    {{- include "policy-sync.refuse-small-memory" (dict "root" $root "name" (ternary "report.resources.limits.memory" "resources.limits.memory" (eq $.command "report")) "limit" .) }}
    {{- end }}
    {{- with .resources }}
    resources:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    # The mounted settings contain what must not be overridden; a Job may override these
    # variables.
    env:
      - name: POD_NAME
        valueFrom: {fieldRef: {fieldPath: metadata.name}}
      {{- if or (not $root.Values.dryRun) (eq .command "report") }}
      - {name: DRY_RUN, value: "false"}
      {{- end }}
      {{- if eq .command "report" }}
      - {name: FAIRWINDS_AGENT_CHART_VERSION, value: {{ $root.Chart.Version | quote }}}
      {{- end }}
      - {name: LOG_LEVEL, value: {{ $root.Values.logLevel | quote }}}
      - {name: CONCURRENCY, value: {{ $root.Values.concurrency | quote }}}
      - {name: LOCK_WAIT, value: {{ $root.Values.lockWait | quote }}}
      - {name: TIMEOUT, value: {{ $root.Values.timeout | quote }}}
      - {name: START_JITTER, value: {{ $root.Values.startJitter | quote }}}
      {{- with $root.Values.javaOptions }}
      - {name: _JAVA_OPTIONS, value: {{ . | quote }}}
      {{- end }}
      {{- with $root.Values.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- with $root.Values.extraEnvFrom }}
    envFrom:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    volumeMounts:
      - {name: settings, mountPath: /etc/policy-sync/settings, readOnly: true}
      {{- if $from }}
      - {name: policies, mountPath: /etc/policy-sync/policies, readOnly: true}
      {{- else }}
      - {name: token, mountPath: /etc/policy-sync/token, readOnly: true}
      {{- end }}
      {{- if or $root.Values.caBundle.secretName $root.Values.caBundle.configMapName }}
      - {name: ca, mountPath: /etc/policy-sync/ca, readOnly: true}
      {{- end }}
      {{- if eq .command "report" }}
      - {name: scratch, mountPath: /tmp}
      {{- end }}
      {{- with $root.Values.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
volumes:
  - name: settings
    {{- if and (eq .command "report") (include "policy-sync.pins-report-apart" $root) }}
    configMap: {name: kyverno-policy-sync, items: [{key: report, path: pinned}]}
    {{- else }}
    configMap: {name: kyverno-policy-sync}
    {{- end }}
  {{- if $from }}
  - name: policies
    {{- include "policy-sync.source-volume" $root | nindent 4 }}
  {{- else }}
  - name: token
    secret:
      secretName: {{ include "policy-sync.token-secret" $root }}
      defaultMode: 0440
      items: [{key: {{ include "policy-sync.token-key" $root | quote }}, path: token}]
  {{- end }}
  {{- if and $pulls $root.Values.source.oci.pullSecretName }}
  - name: registry
    secret:
      secretName: {{ $root.Values.source.oci.pullSecretName }}
      defaultMode: 0440
      items: [{key: .dockerconfigjson, path: config.json}]
  {{- end }}
  {{- if $root.Values.caBundle.configMapName }}
  - name: ca
    configMap:
      name: {{ $root.Values.caBundle.configMapName }}
      items: [{key: {{ $root.Values.caBundle.key | quote }}, path: ca.crt}]
  {{- else if $root.Values.caBundle.secretName }}
  - name: ca
    secret:
      secretName: {{ $root.Values.caBundle.secretName }}
      items: [{key: {{ $root.Values.caBundle.key | quote }}, path: ca.crt}]
  {{- end }}
  {{- if eq .command "report" }}
  - name: scratch
    emptyDir: {sizeLimit: {{ $root.Values.report.scratch }}}
  {{- end }}
  {{- with $root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
