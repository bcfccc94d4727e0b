// SPDX-License-Identifier: Apache-2.0

// Measures gorilla/websocket, with the arguments and the output of the other peers.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"sort"
	"time"

	"github.com/gorilla/websocket"
)

var (
	label   = flag.String("label", "", "the name of the measurement in the output")
	url     = flag.String("url", "", "the WebSocket")
	file    = flag.String("file", "", "the messages to send, one after the other")
	size    = flag.Int("bytes", 64, "the size of each message, in bytes")
	count   = flag.Int("requests", 1, "the number of messages")
	deflate = flag.Bool("deflate", false, "offer permessage-deflate")
)

func messages() [][]byte {
	content, err := os.ReadFile(*file)
	check(err)
	var all [][]byte
	for ; len(content) >= *size; content = content[*size:] {
		all = append(all, content[:*size])
	}
	return all
}

// The functions below are measured. They return the number of bytes of all messages.

func echo(connection *websocket.Conn, all [][]byte, trips []time.Duration) (bytes int) {
	for i := range trips {
		start := time.Now()
		check(connection.WriteMessage(websocket.TextMessage, all[i%len(all)]))
		_, message, err := connection.ReadMessage()
		check(err)
		trips[i] = time.Since(start)
		bytes += len(message)
	}
	return bytes
}

func receive(connection *websocket.Conn) (bytes int) {
	check(connection.WriteMessage(websocket.TextMessage, []byte("go")))
	for received := 0; ; received++ {
		_, message, err := connection.ReadMessage()
		if err != nil {
			if received != *count || !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
				log.Fatalln("error:", received, "messages, then", err)
			}
			return bytes
		}
		bytes += len(message)
	}
}

func send(connection *websocket.Conn, all [][]byte) (bytes int) {
	for i := 0; i < *count; i++ {
		message := all[i%len(all)]
		check(connection.WriteMessage(websocket.TextMessage, message))
		bytes += len(message)
	}
	end := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	check(connection.WriteMessage(websocket.CloseMessage, end))
	_, _, err := connection.ReadMessage()
	if !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		log.Fatalln("error:", err)
	}
	return bytes
}

func main() {
	log.SetFlags(0)
	kind := os.Args[1]
	check(flag.CommandLine.Parse(os.Args[2:]))
	all := messages()
	dialer := websocket.Dialer{EnableCompression: *deflate, ReadBufferSize: 256 << 10, WriteBufferSize: 256 << 10}
	connection, response, err := dialer.Dial(*url, nil)
	check(err)
	if *deflate != (response.Header.Get("Sec-WebSocket-Extensions") != "") {
		log.Fatalln("error: not the extension that was asked for")
	}
	if *deflate {
		check(connection.SetCompressionLevel(6))
	}
	trips := make([]time.Duration, 0)

	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak of the resident memory
	idle, processor, start := status("VmRSS:"), processorSeconds(), time.Now()
	bytes := 0
	switch kind {
	case "ws-echo":
		trips = make([]time.Duration, *count)
		bytes = echo(connection, all, trips)
	case "ws-receive":
		bytes = receive(connection)
	case "ws-send":
		bytes = send(connection, all)
	default:
		log.Fatalln("error: no case is called", kind)
	}
	seconds, used := time.Since(start).Seconds(), processorSeconds()-processor

	extra := ""
	if len(trips) > 0 {
		sort.Slice(trips, func(a, b int) bool { return trips[a] < trips[b] })
		extra = fmt.Sprintf(`, "p50Microseconds": %g`, float64(trips[len(trips)/2].Nanoseconds())/1e3)
	}
	fmt.Printf(
		`{"peer": "gorilla", "case": "%s", "requests": %d, "bytes": %d, "seconds": %g, "cpuSeconds": %g, `+
			`"rssIdleKiB": %d, "rssPeakKiB": %d%s}`+"\n",
		*label, *count, bytes, seconds, used, idle, status("VmHWM:"), extra)
}
