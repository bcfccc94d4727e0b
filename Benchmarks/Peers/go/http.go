// SPDX-License-Identifier: Apache-2.0

// Measures net/http over HTTP/2 and one connection, with the arguments and the output of the other peers.
package main

import (
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
)

var (
	label       = flag.String("label", "", "the name of the measurement in the output")
	url         = flag.String("url", "", "the resource to get or to put")
	file        = flag.String("file", "", "the file to write or to send")
	authority   = flag.String("ca", "", "a PEM file with the authority to trust")
	version     = flag.String("http", "2", "the version of HTTP, which must be 2")
	concurrency = flag.Int("concurrency", 1, "the number of concurrent requests")
	duration    = flag.Float64("seconds", 2, "the duration of the case get, in seconds")
)

// Returns a client that fails if it needs a second connection.
func newClient() *http.Client {
	roots := x509.NewCertPool()
	text, err := os.ReadFile(*authority)
	check(err)
	if !roots.AppendCertsFromPEM(text) {
		log.Fatalln("error: no certificate in", *authority)
	}
	var dials int32
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if atomic.AddInt32(&dials, 1) > 1 {
			return nil, errors.New("more than one connection")
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return &http.Client{Transport: &http.Transport{
		DialContext:       dial,
		TLSClientConfig:   &tls.Config{RootCAs: roots},
		ForceAttemptHTTP2: true,
	}}
}

func send(client *http.Client, request *http.Request) io.ReadCloser {
	response, err := client.Do(request)
	check(err)
	if response.StatusCode != 200 || response.Proto != "HTTP/2.0" {
		log.Fatalln("error:", response.Proto, response.Status)
	}
	return response.Body
}

// The functions below are measured. They return the number of requests and of bytes of content.

func get(client *http.Client, url string) (requests, bytes int) {
	request, err := http.NewRequest("GET", url, nil)
	check(err)
	body := send(client, request)
	content, err := io.ReadAll(body)
	check(err)
	check(body.Close())
	return 1, len(content)
}

func gets(client *http.Client, seconds float64) (requests, bytes int) {
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	var all sync.WaitGroup
	var lock sync.Mutex
	for i := 0; i < *concurrency; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			count, size := 0, 0
			for time.Now().Before(end) {
				_, length := get(client, *url)
				count++
				size += length
			}
			lock.Lock()
			defer lock.Unlock()
			requests += count
			bytes += size
		}()
	}
	all.Wait()
	return requests, bytes
}

func download(client *http.Client) (requests, bytes int) {
	request, err := http.NewRequest("GET", *url, nil)
	check(err)
	body := send(client, request)
	output, err := os.Create(*file)
	check(err)
	count, err := io.Copy(output, body)
	check(err)
	check(body.Close())
	check(output.Close())
	return 1, int(count)
}

func upload(client *http.Client) (requests, bytes int) {
	input, err := os.Open(*file)
	check(err)
	status, err := input.Stat()
	check(err)
	request, err := http.NewRequest("PUT", *url, input)
	check(err)
	request.ContentLength = status.Size()
	body := send(client, request)
	_, err = io.ReadAll(body)
	check(err)
	check(body.Close())
	return 1, int(status.Size())
}

func main() {
	log.SetFlags(0)
	kind := os.Args[1]
	check(flag.CommandLine.Parse(os.Args[2:]))
	if *version != "2" {
		log.Fatalln("error: this peer measures HTTP/2")
	}
	client := newClient()
	scheme, rest, _ := strings.Cut(*url, "://")
	host, _, _ := strings.Cut(rest, "/")
	get(client, scheme+"://"+host+"/small") // opens the connection
	if kind == "get" {
		gets(client, 0.5)
	}

	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak of the resident memory
	idle, processor, start := status("VmRSS:"), processorSeconds(), time.Now()
	requests, bytes := 0, 0
	switch kind {
	case "get":
		requests, bytes = gets(client, *duration)
	case "download":
		requests, bytes = download(client)
	case "upload":
		requests, bytes = upload(client)
	default:
		log.Fatalln("error: no case is called", kind)
	}
	seconds, used := time.Since(start).Seconds(), processorSeconds()-processor
	fmt.Printf(
		`{"peer": "go", "case": "%s", "requests": %d, "bytes": %d, "seconds": %g, "cpuSeconds": %g, `+
			`"rssIdleKiB": %d, "rssPeakKiB": %d}`+"\n",
		*label, requests, bytes, seconds, used, idle, status("VmHWM:"))
}
