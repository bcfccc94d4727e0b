// SPDX-License-Identifier: Apache-2.0

// Measures net/http, with the arguments and the output of the other peers. Fails if a response has another version of
// HTTP than the one demanded, or if the client opens too many connections.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

var (
	label       = flag.String("label", "", "the name of the measurement in the output")
	url         = flag.String("url", "", "the resource to get or to put")
	file        = flag.String("file", "", "the file to write or to send")
	authority   = flag.String("ca", "", "a PEM file with the authority to trust")
	version     = flag.String("http", "1.1", "the version of HTTP")
	concurrency = flag.Int("concurrency", 1, "the number of concurrent requests")
	requests    = flag.Int("requests", 0, "the number of requests; zero to send requests for some seconds")
	duration    = flag.Float64("seconds", 2, "the duration of the case get, in seconds")
	cold        = flag.Bool("cold", false, "whether the measurement includes opening connections")
)

// Returns a client that fails if it opens more connections than concurrent requests, or than one over HTTP/2.
//
// By default, net/http keeps only two idle connections to a host, and dials although a connection becomes free soon. So
// this client has a limit of connections, and keeps all of them.
func newClient() *http.Client {
	config := &tls.Config{}
	if *authority != "" {
		config.RootCAs = x509.NewCertPool()
		text, err := os.ReadFile(*authority)
		check(err)
		if !config.RootCAs.AppendCertsFromPEM(text) {
			log.Fatalln("error: no certificate in", *authority)
		}
	}
	limit := *concurrency
	if *version == "2" {
		limit = 1
	}
	var dials int64
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if atomic.AddInt64(&dials, 1) > int64(limit) {
			return nil, errors.New("too many connections")
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return &http.Client{Transport: &http.Transport{
		DialContext:         dial,
		TLSClientConfig:     config,
		MaxConnsPerHost:     *concurrency,
		MaxIdleConnsPerHost: *concurrency,
		ForceAttemptHTTP2:   *version == "2",
	}}
}

func send(client *http.Client, request *http.Request) *http.Response {
	response, err := client.Do(request)
	check(err)
	if response.StatusCode != 200 || !strings.HasPrefix(response.Proto, "HTTP/"+*version) {
		log.Fatalln("error:", response.Proto, response.Status)
	}
	return response
}

func get(client *http.Client, url string) *http.Response {
	request, err := http.NewRequest("GET", url, nil)
	check(err)
	return send(client, request)
}

// Reads the whole content into memory, and returns its size.
func read(response *http.Response) int {
	var content bytes.Buffer
	if response.ContentLength > 0 {
		content.Grow(int(response.ContentLength) + bytes.MinRead)
	}
	_, err := content.ReadFrom(response.Body)
	check(err)
	check(response.Body.Close())
	return content.Len()
}

// Sends requests concurrently, until `more` is false for the number of requests that have begun before.
func together(more func(begun int) bool, one func(index int) (size int)) (count, size int) {
	var all sync.WaitGroup
	var begun, total int64
	for i := 0; i < *concurrency; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				index := int(atomic.AddInt64(&begun, 1)) - 1
				if !more(index) {
					atomic.AddInt64(&begun, -1)
					return
				}
				atomic.AddInt64(&total, int64(one(index)))
			}
		}()
	}
	all.Wait()
	return int(begun), int(total)
}

// The functions below are measured. They return the number of requests and of bytes of content.

func gets(client *http.Client, seconds float64) (count, size int) {
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	more := func(begun int) bool { return time.Now().Before(end) }
	if *requests > 0 {
		more = func(begun int) bool { return begun < *requests }
	}
	return together(more, func(int) int { return read(get(client, *url)) })
}

// decompress reads a body that net/http itself does not decompress.
func decompress(client *http.Client, coding string, reader func(io.Reader) io.Reader) (size int) {
	request, err := http.NewRequest("GET", *url, nil)
	check(err)
	request.Header.Set("Accept-Encoding", coding)
	response := send(client, request)
	data, err := io.ReadAll(reader(response.Body))
	check(err)
	check(response.Body.Close())
	return len(data)
}

func download(client *http.Client, file string) (count, size int) {
	response := get(client, *url)
	output, err := os.Create(file)
	check(err)
	copied, err := io.Copy(output, response.Body)
	check(err)
	check(response.Body.Close())
	check(output.Close())
	return 1, int(copied)
}

func downloads(client *http.Client) (count, size int) {
	return together(func(begun int) bool { return begun < *requests }, func(index int) int {
		_, size := download(client, fmt.Sprint(*file, "-", index))
		return size
	})
}

func upload(client *http.Client) (count, size int) {
	input, err := os.Open(*file)
	check(err)
	status, err := input.Stat()
	check(err)
	request, err := http.NewRequest("PUT", *url, input)
	check(err)
	request.ContentLength = status.Size()
	read(send(client, request))
	return 1, int(status.Size())
}

func main() {
	log.SetFlags(0)
	kind := os.Args[1]
	check(flag.CommandLine.Parse(os.Args[2:]))
	client := newClient()
	cases := map[string]func() (int, int){
		"get":       func() (int, int) { return gets(client, *duration) },
		"download":  func() (int, int) { return download(client, *file) },
		"downloads": func() (int, int) { return downloads(client) },
		"upload":    func() (int, int) { return upload(client) },
		"lines":     func() (int, int) { return lines(client) },
		"events":    func() (int, int) { return events(client) },
		"deltas":    func() (int, int) { return deltas(client) },
		"values":    func() (int, int) { return values(client) },
		"data":      func() (int, int) { return 1, read(get(client, *url)) },
		"gzip":      func() (int, int) { return 1, read(get(client, *url)) }, // net/http decompresses by default
		"brotli": func() (int, int) {
			return 1, decompress(client, "br", func(body io.Reader) io.Reader { return brotli.NewReader(body) })
		},
		"zstd": func() (int, int) {
			return 1, decompress(client, "zstd", func(body io.Reader) io.Reader {
				decoder, err := zstd.NewReader(body)
				check(err)
				return decoder
			})
		},
		"start": func() (int, int) { return 0, 0 },
	}
	run, ok := cases[kind]
	if !ok {
		log.Fatalln("error: no case is called", kind)
	}
	if !*cold {
		scheme, rest, _ := strings.Cut(*url, "://")
		host, _, _ := strings.Cut(rest, "/")
		read(get(client, scheme+"://"+host+"/small")) // opens the connection
		if kind == "get" {
			gets(client, 0.5)
		}
	}

	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak of the resident memory
	idle, processor, start := status("VmRSS:"), processorSeconds(), time.Now()
	count, size := run()
	seconds, used := time.Since(start).Seconds(), processorSeconds()-processor
	fmt.Printf(
		`{"peer": "go", "case": "%s", "requests": %d, "bytes": %d, "seconds": %g, "cpuSeconds": %g, `+
			`"rssIdleKiB": %d, "rssPeakKiB": %d}`+"\n",
		*label, count, size, seconds, used, idle, status("VmHWM:"))
}
