{{- /* A CronJob that runs one command.
root: the chart's root context; name: the name that the remote API's job runner uses; schedule;
app: the label to find its Jobs by; command and resources: see the Pod */}}
{{- define "policy-sync.cronjob" -}}
{{- $root := .root -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  # Jobs on demand are created from the CronJob of this name.
  name: {{ .name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "policy-sync.job-labels" . | nindent 4 }}
  {{- with $root.Values.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  schedule: {{ .schedule | quote }}
  {{- with $root.Values.timeZone }}
  timeZone: {{ . | quote }}
  {{- end }}
  {{- if $root.Values.suspend }}
  # Not written if false, so that a CronJob that a person has suspended stays suspended.
  suspend: true
  {{- end }}
  concurrencyPolicy: {{ $root.Values.concurrencyPolicy }}
  {{- if not (kindIs "invalid" $root.Values.startingDeadlineSeconds) }}
  startingDeadlineSeconds: {{ $root.Values.startingDeadlineSeconds }}
  {{- end }}
  successfulJobsHistoryLimit: {{ $root.Values.successfulJobsHistoryLimit }}
  failedJobsHistoryLimit: {{ $root.Values.failedJobsHistoryLimit }}
  jobTemplate:
    metadata:
      labels:
        {{- include "policy-sync.job-labels" . | nindent 8 }}
      {{- with $root.Values.jobAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      backoffLimit: {{ $root.Values.backoffLimit }}
      activeDeadlineSeconds: {{ include "policy-sync.active-deadline" $root }}
      {{- if not (kindIs "invalid" $root.Values.ttlSecondsAfterFinished) }}
      ttlSecondsAfterFinished: {{ $root.Values.ttlSecondsAfterFinished }}
      {{- end }}
      template:
        metadata:
          labels:
            {{- include "policy-sync.job-labels" . | nindent 12 }}
            {{- range $name, $value := $root.Values.podLabels }}
            {{- if hasKey (include "policy-sync.job-labels" $ | fromYaml) $name }}
            {{- fail (printf "podLabels.%s is a label of the chart's own, by which its Pods are found; leave it out" $name) }}
            {{- end }}
            {{ $name }}: {{ $value | quote }}
            {{- end }}
          {{- with $root.Values.podAnnotations }}
          annotations:
            {{- toYaml . | nindent 12 }}
          {{- end }}
        spec:
          {{- include "policy-sync.pod" . | nindent 10 }}
{{- end }}
