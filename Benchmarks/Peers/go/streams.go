// SPDX-License-Identifier: Apache-2.0

// Reads streams with net/http and bufio.Scanner.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

type photo struct {
	Photo      int    `json:"photo"`
	Favourites int    `json:"favourites"`
	By         string `json:"by"`
}

// The functions below are measured. They return the number of values and of their bytes.

func lines(client *http.Client) (count, size int) {
	body := get(client, *url).Body
	defer body.Close()
	scanner := bufio.NewScanner(body)
	for scanner.Scan() {
		sink = scanner.Text() // a copy that outlives the scanner's buffer
		size += len(sink) + 1
	}
	check(scanner.Err())
	return 1, size
}

// Reads server-sent events as programs in Go usually do: takes each line that begins with `data:` as one event.
func data(client *http.Client, event func(data []byte)) {
	body := get(client, *url).Body
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

func events(client *http.Client) (count, size int) {
	data(client, func(data []byte) {
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

func deltas(client *http.Client) (count, size int) {
	data(client, func(data []byte) {
		var value photo
		check(json.Unmarshal(data, &value))
		count++
		size += len(value.By)
	})
	return count, size
}

func values(client *http.Client) (count, size int) {
	body := get(client, *url).Body
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
