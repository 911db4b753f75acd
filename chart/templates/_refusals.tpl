{{- /* Rejects values that would be ignored or misread, mostly of the Go agent's chart, and that the schema cannot reject. */}}
{{- define "policy-sync.refuse-wrong-values" -}}
{{- range $name, $schedule := dict "schedule" .Values.schedule "report.schedule" .Values.report.schedule -}}
{{- if hasPrefix "rand" $schedule -}}
{{- fail (printf "%s is %q, and there is no rand here; write a minute, or leave report.schedule empty, which takes one for each cluster (docs/migration.md)" $name $schedule) -}}
{{- else if not (or (empty $schedule) (regexMatch (include "policy-sync.cron" nil) $schedule)) -}}
{{- fail (printf "%s is %q, which is not a cron expression of five fields (minute, hour, day, month, weekday), e.g. %q" $name $schedule "*/10 * * * *") -}}
{{- end -}}
{{- end -}}
{{- range $name, $longest := dict "lockWait" "1h" "convertRehearsal" "168h" -}}
{{- $value := index $.Values $name -}}
{{- if gt (include "policy-sync.milliseconds" $value | int64) (include "policy-sync.milliseconds" $longest | int64) -}}
{{- fail (printf "%s is %s; it is at most %s" $name $value $longest) -}}
{{- end -}}
{{- end -}}
{{- $callsApi := or .Values.report.enabled (and .Values.enabled (eq "" (include "policy-sync.from" (dict "root" . "command" "sync")))) -}}
{{- if and $callsApi (hasPrefix "http://" .Values.insights.host) (not (regexMatch "^http://(localhost|127\\.[0-9.]+|\\[::1\\])(:|/|$)" .Values.insights.host)) (not .Values.allowHttp) -}}
{{- fail (printf "insights.host is %s, which sends the token unencrypted; write https://, or set allowHttp: true" .Values.insights.host) -}}
{{- end -}}
{{- if regexMatch "[:@][^/]+$" .Values.image.repository -}}
{{- fail (printf "image.repository is %s, with a tag or digest; write that in image.tag or image.digest" .Values.image.repository) -}}
{{- end -}}
{{- $fields := dict "serviceAccountName" "serviceAccount.name" "securityContext" "podSecurityContext" "volumes" "extraVolumes" "containers" "" "restartPolicy" "" "automountServiceAccountToken" "" "enableServiceLinks" "" -}}
{{- range list "terminationGracePeriodSeconds" "imagePullSecrets" "dnsPolicy" "dnsConfig" "hostAliases" "priorityClassName" "nodeSelector" "tolerations" "affinity" "initContainers" -}}
{{- $fields = set $fields . . -}}
{{- end -}}
{{- range $name, $spec := dict "podSpec" .Values.podSpec "report.overrides.podSpec" .Values.report.overrides.podSpec -}}
{{- range $field, $_ := $spec -}}
{{- if hasKey $fields $field -}}
{{- fail (printf "%s.%s is set by the chart%s" $name $field (get $fields $field | empty | ternary ", and cannot be changed" (printf "; use the value %s" (get $fields $field)))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "policy-sync.refuse-variables" (dict "name" "extraEnv" "variables" .Values.extraEnv "root" .) -}}
{{- include "policy-sync.refuse-variables" (dict "name" "report.overrides.extraEnv" "variables" .Values.report.overrides.extraEnv "root" .) -}}
{{- if regexMatch "fairwinds[^ ]*/kyverno(-policy-sync)?$" .Values.image.repository -}}
{{- fail (printf "image.repository is %s, the Go agent's image; leave image away (docs/migration.md)" .Values.image.repository) -}}
{{- end -}}
{{- if and .Values.caBundle.secretName .Values.caBundle.configMapName -}}
{{- fail "caBundle.secretName and caBundle.configMapName are both set; choose one" -}}
{{- end -}}
{{- if gt (len (compact (list ((.Values.source).oci).artifact (.Values.source).configMapName (.Values.source).volume))) 1 -}}
{{- fail "more than one of source.oci.artifact, source.configMapName and source.volume is set; choose one" -}}
{{- end -}}
{{- $global := .Values.global | default dict -}}
{{- with $global.proxy -}}
{{- if and (or .https .http .no_proxy) (not (or $.Values.proxy.https $.Values.proxy.http $.Values.proxy.noProxy)) -}}
{{- fail "global.proxy is set, which this chart does not read; write proxy.https, proxy.http and proxy.noProxy, or proxy.noProxy=* for no proxy (docs/migration.md)" -}}
{{- end -}}
{{- end -}}
{{- if and $global.sslCertFileSecretName (not .Values.caBundle.secretName) -}}
{{- fail (printf "global.sslCertFileSecretName is set, which this chart does not read; write caBundle.secretName=%s and caBundle.key (docs/migration.md)" $global.sslCertFileSecretName) -}}
{{- end -}}
{{- end }}

{{- /* Matches a cron expression as Kubernetes reads it, without @every. */}}
{{- define "policy-sync.cron" -}}
{{- $fields := list -}}
{{- range list "[0-5]?[0-9]" "([01]?[0-9]|2[0-3])" "(0?[1-9]|[12][0-9]|3[01])" "(0?[1-9]|1[0-2]|(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))" "([0-6]|(?i:sun|mon|tue|wed|thu|fri|sat))" -}}
{{- $range := printf "([*?]|%s(-%s)?)(/[1-9][0-9]?)?" . . -}}
{{- $fields = append $fields (printf "%s(,%s)*" $range $range) -}}
{{- end -}}
^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|{{ join " +" $fields }})$
{{- end }}

{{- /* Rejects additional variables that the chart sets itself, which would be in the Pod twice, or
whose value the agent takes from elsewhere. name: of the value; variables: its entries; root */}}
{{- define "policy-sync.refuse-variables" -}}
{{- $values := dict "POD_NAME" "" "NAMESPACE" "" "FAIRWINDS_TOKEN" "insights.tokenSecret" "FAIRWINDS_TOKEN_FILE" "insights.tokenSecret" "FAIRWINDS_INSIGHTS_HOST" "insights.host" "FAIRWINDS_ORG" "insights.organization" "FAIRWINDS_CLUSTER" "insights.cluster" "FAIRWINDS_AGENT_CHART_VERSION" "" "DRY_RUN" "dryRun" "LOG_LEVEL" "logLevel" "CONCURRENCY" "concurrency" "LOCK_WAIT" "lockWait" "TIMEOUT" "timeout" "START_JITTER" "startJitter" "MAX_REMOVALS" "maxRemovals" "ADOPT" "adopt" "LINT" "lint" "ENFORCE_GUARD" "enforceGuard" "ENFORCE_GUARD_THRESHOLD" "enforceGuardThreshold" "CONVERT" "convert" "CONVERT_REHEARSAL" "convertRehearsal" "APPROVED_FEED" "approvedFeed" "EXCLUDE_KINDS" "excludeKinds" "SEND_FAILURES" "report.sendFailures" "REPORT_RESULTS" "report.results" "REPORT_TITLES" "report.titles" "ALLOW_HTTP" "allowHttp" "ALLOW_JVM_OPTIONS" "javaOptions" -}}
{{- if .root.Values.javaOptions -}}
{{- $values = set $values "_JAVA_OPTIONS" "javaOptions" -}}
{{- end -}}
{{- $seen := list -}}
{{- range .variables -}}
{{- if has .name $seen -}}
{{- fail (printf "%s has %s twice; keep one" $.name .name) -}}
{{- else if hasKey $values .name -}}
{{- fail (printf "%s has %s, which the chart sets%s; leave it out" $.name .name (index $values .name | empty | ternary "" (printf " from %s" (index $values .name)))) -}}
{{- end -}}
{{- $seen = append $seen .name -}}
{{- end -}}
{{- end }}

{{- /* Converts an amount of memory to whole MiB. text: in the notation of Kubernetes (256Mi) or Java (256m); units: its units in bytes */}}
{{- define "policy-sync.mebibytes" -}}
{{- $text := ternary .text (printf "%.0f" (float64 .text)) (kindIs "string" .text) -}}
{{- $unit := regexFind "[A-Za-z]*$" $text -}}
{{- $bytes := mulf (regexReplaceAll "[A-Za-z]+$" $text "" | float64) (index .units $unit | default 1e18 | float64) -}}
{{- divf $bytes 1048576 | floor | int64 -}}
{{- end }}

{{- /* Rejects a memory limit below the need of Java's heap and Java itself (MemoryLimit has the same number): a large run would be
killed without a message. root; name: the name of the limit's value; limit */}}
{{- define "policy-sync.refuse-small-memory" -}}
{{- $kubernetes := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "m" 1e-3 -}}
{{- $java := dict "" 1 "k" 1024 "K" 1024 "m" 1048576 "M" 1048576 "g" 1073741824 "G" 1073741824 -}}
{{- $heap := last (concat (list "-Xmx128m") (regexFindAll "-Xmx[0-9]+[kKmMgG]?" .root.Values.javaOptions -1)) | trimPrefix "-Xmx" -}}
{{- $mebibytes := include "policy-sync.mebibytes" (dict "text" $heap "units" $java) | int64 -}}
{{- $needed := add $mebibytes 96 -}}
{{- if lt (include "policy-sync.mebibytes" (dict "text" .limit "units" $kubernetes) | int64) $needed -}}
{{- fail (printf "%s is %v, and a run needs up to %dMi: %dMi of heap and 96Mi for Java itself; raise it, or set a smaller -Xmx in javaOptions" .name .limit $needed $mebibytes) -}}
{{- end -}}
{{- end }}
