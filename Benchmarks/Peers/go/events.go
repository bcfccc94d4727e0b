// SPDX-License-Identifier: Apache-2.0

// Measures net/http and bufio.Scanner over HTTP/1.1, with the arguments and the output of the other peers.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var (
	label = flag.String("label", "", "the name of the measurement in the output")
	url   = flag.String("url", "", "the stream to get")
)

type photo struct {
	Photo      int    `json:"photo"`
	Favourites int    `json:"favourites"`
	By         string `json:"by"`
}

func get(url string) io.ReadCloser {
	response, err := http.Get(url)
	check(err)
	if response.StatusCode != 200 {
		log.Fatalln("error:", response.Status)
	}
	return response.Body
}

// The functions below are measured. They return the number of values and of their bytes.

// Reads server-sent events as programs in Go usually do: takes each line that begins with `data:` as one event.
func data(event func(data []byte)) {
	body := get(*url)
	defer body.Close()
	prefix := []byte("data:")
	scanner := bufio.NewScanner(body)
	for scanner.Scan() {
		if rest := bytes.TrimPrefix(scanner.Bytes(), prefix); len(rest) < len(scanner.Bytes()) {
			event(bytes.TrimPrefix(rest, []byte(" ")))
		}
	}
	check(scanner.Err())
}

func events() (count, size int) {
	data(func(data []byte) {
		text := string(data) // a copy that outlives the scanner's buffer
		if sink = text; len(sink) > 0 {
			count++
			size += len(text)
		}
	})
	return count, size
}

// Keeps the compiler from leaving out the string.
var sink string

func deltas() (count, size int) {
	data(func(data []byte) {
		var value photo
		check(json.Unmarshal(data, &value))
		count++
		size += len(value.By)
	})
	return count, size
}

func values() (count, size int) {
	body := get(*url)
	defer body.Close()
	decoder := json.NewDecoder(body)
	for {
		var value photo
		if err := decoder.Decode(&value); err == io.EOF {
			return count, size
		} else {
			check(err)
		}
		count++
		size += len(value.By)
	}
}

func main() {
	log.SetFlags(0)
	kind := os.Args[1]
	check(flag.CommandLine.Parse(os.Args[2:]))
	cases := map[string]func() (int, int){"events": events, "deltas": deltas, "values": values}
	run, ok := cases[kind]
	if !ok {
		log.Fatalln("error: no case is called", kind)
	}
	scheme, rest, _ := strings.Cut(*url, "://")
	host, _, _ := strings.Cut(rest, "/")
	body := get(scheme + "://" + host + "/small") // opens the connection
	_, err := io.ReadAll(body)
	check(err)
	check(body.Close())

	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak of the resident memory
	idle, processor, start := status("VmRSS:"), processorSeconds(), time.Now()
	requests, size := run()
	seconds, used := time.Since(start).Seconds(), processorSeconds()-processor
	fmt.Printf(
		`{"peer": "go", "case": "%s", "requests": %d, "bytes": %d, "seconds": %g, "cpuSeconds": %g, `+
			`"rssIdleKiB": %d, "rssPeakKiB": %d}`+"\n",
		*label, requests, size, seconds, used, idle, status("VmHWM:"))
}
