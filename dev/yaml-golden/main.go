// Command yaml-golden records how sigs.k8s.io/yaml, and so kubectl, reads each YAML file of a folder.
//
// For a case NAME.yaml it writes NAME.json, the JSON that YAMLToJSON returns and a line feed, or, if that
// fails, NAME.error, the first line of the error; and NAME.strict, "ok" or "error" by YAMLToJSONStrict.
// Keys that differ only in type, such as 1 and "1", become one JSON key whose value depends on Go's random
// order of maps. No result is right then, so such a case is recorded as an error, strict or not.
// Case files are bytes: they may contain control characters, a byte order mark or CRLF.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("yaml-golden: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: yaml-golden CASES GOLDEN (two folders; GOLDEN is written anew)")
	}
	count, err := record(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("%d cases recorded in %s", count, os.Args[2])
}

func record(cases, golden string) (int, error) {
	files, err := filepath.Glob(filepath.Join(cases, "*.yaml"))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("no *.yaml in %s", cases)
	}
	if err := clear(golden); err != nil {
		return 0, err
	}
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		for suffix, content := range outcome(document) {
			if err := os.WriteFile(filepath.Join(golden, name+suffix), content, 0o644); err != nil {
				return 0, err
			}
		}
	}
	return len(files), nil
}

// clear removes the files of an earlier run, so that a renamed case leaves no file behind.
func clear(golden string) error {
	if err := os.MkdirAll(golden, 0o755); err != nil {
		return err
	}
	for _, suffix := range []string{".json", ".error", ".strict"} {
		old, err := filepath.Glob(filepath.Join(golden, "*"+suffix))
		if err != nil {
			return err
		}
		for _, file := range old {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// outcome maps the suffix of each golden file to its content.
func outcome(document []byte) map[string][]byte {
	json, err := readRepeatedly(document)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return map[string][]byte{".error": []byte(first + "\n"), ".strict": []byte("error\n")}
	}
	strict := "ok\n"
	if _, err := yaml.YAMLToJSONStrict(document); err != nil {
		strict = "error\n"
	}
	return map[string][]byte{".json": append(json, '\n'), ".strict": []byte(strict)}
}

// readings is the number of readings that reveals a random result: with two keys, one reading in eight differs.
const readings = 300

func readRepeatedly(document []byte) ([]byte, error) {
	json, err := yaml.YAMLToJSON(document)
	for i := 1; i < readings && err == nil; i++ {
		var again []byte
		if again, err = yaml.YAMLToJSON(document); err == nil && !bytes.Equal(json, again) {
			err = errors.New("the answer differs from one reading to the next")
		}
	}
	return json, err
}
