// Prints, as JSON, the variables, functions and types that the CEL environments of Kyverno and of the
// API server declare. Kyverno's compilers keep their environments to themselves, so the lists of
// libraries below are those of createBaseVpolEnv, newExtendedEnv, createBaseGpolEnv, createBaseDpolEnv
// and createBaseIvpolEnv.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	policiesv1beta1 "github.com/kyverno/api/api/policies.kyverno.io/v1beta1"
	"github.com/kyverno/kyverno/pkg/cel/compiler"
	"github.com/kyverno/kyverno/pkg/cel/libs"
	"github.com/kyverno/kyverno/pkg/cel/libs/imageverify"
	"github.com/kyverno/sdk/extensions/cel/libs/generator"
	"github.com/kyverno/sdk/extensions/cel/libs/globalcontext"
	"github.com/kyverno/sdk/extensions/cel/libs/gzip"
	"github.com/kyverno/sdk/extensions/cel/libs/hash"
	"github.com/kyverno/sdk/extensions/cel/libs/http"
	"github.com/kyverno/sdk/extensions/cel/libs/image"
	"github.com/kyverno/sdk/extensions/cel/libs/imagedata"
	kjson "github.com/kyverno/sdk/extensions/cel/libs/json"
	"github.com/kyverno/sdk/extensions/cel/libs/math"
	"github.com/kyverno/sdk/extensions/cel/libs/random"
	"github.com/kyverno/sdk/extensions/cel/libs/resource"
	"github.com/kyverno/sdk/extensions/cel/libs/time"
	"github.com/kyverno/sdk/extensions/cel/libs/transform"
	"github.com/kyverno/sdk/extensions/cel/libs/user"
	"github.com/kyverno/sdk/extensions/cel/libs/x509"
	"github.com/kyverno/sdk/extensions/cel/libs/yaml"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
)

type overload struct {
	Member bool     `json:"member,omitempty"`
	Args   []string `json:"args"`
	Result string   `json:"result"`
}

type dumped struct {
	Variables map[string]string            `json:"variables"`
	Functions map[string][]overload        `json:"functions"`
	Types     map[string]map[string]string `json:"types"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func dump(env *cel.Env) dumped {
	d := dumped{map[string]string{}, map[string][]overload{}, map[string]map[string]string{}}
	seen := map[string]bool{}
	var visit func(t *types.Type)
	visit = func(t *types.Type) {
		if t == nil {
			return
		}
		for _, p := range t.Parameters() {
			visit(p)
		}
		name := t.TypeName()
		if t.Kind() != types.StructKind || seen[name] {
			return
		}
		seen[name] = true
		names, ok := env.CELTypeProvider().FindStructFieldNames(name)
		if !ok {
			return
		}
		fields := map[string]string{}
		for _, f := range names {
			if ft, ok := env.CELTypeProvider().FindStructFieldType(name, f); ok {
				fields[f] = ft.Type.String()
				visit(ft.Type)
			}
		}
		d.Types[name] = fields
	}
	for _, v := range env.Variables() {
		if v.Type().Kind() == types.TypeKind {
			continue
		}
		d.Variables[v.Name()] = v.Type().String()
		visit(v.Type())
	}
	for name, f := range env.Functions() {
		for _, o := range f.OverloadDecls() {
			args := []string{}
			for _, a := range o.ArgTypes() {
				args = append(args, a.String())
				visit(a)
			}
			visit(o.ResultType())
			d.Functions[name] = append(d.Functions[name], overload{o.IsMemberFunction(), args, o.ResultType().String()})
		}
	}
	for _, os := range d.Functions {
		sort.Slice(os, func(i, j int) bool {
			return string(must(json.Marshal(os[i]))) < string(must(json.Marshal(os[j])))
		})
	}
	return d
}

func requestVariables() []cel.EnvOption {
	return []cel.EnvOption{
		cel.Variable(compiler.NamespaceObjectKey, compiler.NamespaceType.CelType()),
		cel.Variable(compiler.ObjectKey, cel.DynType),
		cel.Variable(compiler.OldObjectKey, cel.DynType),
		cel.Variable(compiler.RequestKey, compiler.RequestType.CelType()),
		cel.Types(compiler.NamespaceType.CelType()),
		cel.Types(compiler.RequestType.CelType()),
		cel.Variable(compiler.VariablesKey, compiler.VariablesType),
	}
}

func declarations(env *cel.Env) []cel.EnvOption {
	provider := apiservercel.NewDeclTypeProvider(compiler.NamespaceType, compiler.RequestType)
	return must(provider.EnvOptions(compiler.NewVariablesProvider(env.CELTypeProvider())))
}

func exceptions() []cel.EnvOption {
	return []cel.EnvOption{
		ext.NativeTypes(reflect.TypeFor[libs.Exception](), ext.ParseStructTags(true)),
		cel.Variable(compiler.ExceptionsKey, types.NewObjectType("libs.Exception")),
	}
}

func libraries(namespace string, more ...cel.EnvOption) []cel.EnvOption {
	c := libs.NewFakeContextProvider()
	return append([]cel.EnvOption{
		globalcontext.Lib(globalcontext.Context{ContextInterface: c}, globalcontext.Latest()),
		resource.Lib(resource.Context{ContextInterface: c}, namespace, resource.Latest()),
		image.Lib(image.Latest()),
		imagedata.Lib(imagedata.Context{ContextInterface: c}, imagedata.Latest(), nil),
		hash.Lib(hash.Latest()),
		math.Lib(math.Latest()),
		kjson.Lib(&kjson.JsonImpl{}, kjson.Latest()),
		yaml.Lib(&yaml.YamlImpl{}, yaml.Latest()),
		random.Lib(random.Latest()),
		time.Lib(time.Latest()),
		transform.Lib(transform.Latest()),
		gzip.Lib(gzip.Latest()),
		http.Lib(http.Context{ContextInterface: compiler.NewLazyCELHTTPContext(namespace)}, http.Latest()),
	}, more...)
}

func extended(opts ...cel.EnvOption) *cel.Env {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 0))
	env := must(base.Env(environment.StoredExpressions))
	n := len(requestVariables())
	first := append(append(compiler.DefaultEnvOptions(), opts[:n]...), declarations(env)...)
	one := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: first}
	two := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: opts[n:]}
	return must(must(base.Extend(one, two)).Env(environment.StoredExpressions))
}

func plain(base []cel.EnvOption, opts ...cel.EnvOption) *cel.Env {
	env := must(cel.NewEnv(append(base, requestVariables()...)...))
	return must(cel.NewEnv(append(append(append(base, requestVariables()...), declarations(env)...), opts...)...))
}

func concat(lists ...[]cel.EnvOption) (all []cel.EnvOption) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return
}

// kyverno adds the environments of Kyverno's kinds for policies of a namespace, or of the cluster if it is empty.
func kyverno(all map[string]dumped, prefix, namespace string) {
	vpol := extended(concat(requestVariables(), exceptions(), libraries(namespace, user.Lib(user.Latest()), x509.Lib(x509.Latest())))...)
	mpol := extended(concat(requestVariables(), exceptions(),
		libraries(namespace, user.Lib(user.Latest()), x509.Lib(x509.Latest()), environment.UnversionedLib(library.JSONPatch)))...)
	gpol := plain(compiler.DynamicResourceEnvOptions(), concat(exceptions(), libraries(namespace, x509.Lib(x509.Latest()),
		generator.Lib(generator.Context{ContextInterface: libs.NewFakeContextProvider()}, namespace, generator.Latest())))...)
	dpol := plain(compiler.DefaultEnvOptions(), concat([]cel.EnvOption{cel.Variable(compiler.ResourceKey, resource.ContextType),
		cel.Variable(compiler.ExceptionsKey, types.NewObjectType("compiler.Exception")),
		common.ResolverEnvOption(&mutation.DynamicTypeResolver{})}, libraries(namespace, x509.Lib(x509.Latest())))...)
	ivpol := extended(concat(requestVariables(), []cel.EnvOption{
		cel.Variable(compiler.ResourceKey, resource.ContextType),
		cel.Variable(compiler.ImagesKey, cel.MapType(cel.StringType, cel.ListType(cel.StringType))),
		cel.Variable(compiler.AttestorsKey, cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable(compiler.AttestationsKey, cel.MapType(cel.StringType, cel.StringType)),
	}, libraries(namespace, user.Lib(user.Latest()),
		imageverify.Lib(imageverify.Latest(), nil, &policiesv1beta1.ImageValidatingPolicy{}, nil, logr.Discard(), nil, imageverify.NewImageVerificationResults())))...)
	all[prefix+"VALIDATING"] = dump(vpol)
	all[prefix+"MUTATING"] = dump(mpol)
	all[prefix+"GENERATING"] = dump(gpol)
	all[prefix+"DELETING"] = dump(dpol)
	all[prefix+"IMAGE_VALIDATING"] = dump(ivpol)
}

func main() {
	request, namespace := plugincel.BuildRequestType(), plugincel.BuildNamespaceType()
	kubernetes := must(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType),
			cel.Variable("namespaceObject", namespace.CelType()), cel.Variable("request", request.CelType()),
			cel.Variable("params", cel.DynType), cel.Variable("authorizer", library.AuthorizerType),
			cel.Variable("authorizer.requestResource", library.ResourceCheckType),
			cel.Variable("variables", compiler.VariablesType),
			common.ResolverEnvOption(&mutation.DynamicTypeResolver{}), environment.UnversionedLib(library.JSONPatch),
		},
		DeclTypes: []*apiservercel.DeclType{namespace, request},
	}))
	all := map[string]dumped{
		"MATCH_IMAGE": dump(must(compiler.NewMatchImageEnv())),
		"KUBERNETES":  dump(must(kubernetes.Env(environment.NewExpressions))),
	}
	kyverno(all, "", "")
	kyverno(all, "NAMESPACED_", "any")
	os.Stdout.Write(must(json.Marshal(all)))
}
