// SPDX-License-Identifier: Apache-2.0

// Shared code of the peers in Go. Each peer is one more file of this folder.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"syscall"
)

func check(err error) {
	if err != nil {
		log.Fatalln("error:", err)
	}
}

// Returns the processor time of the process so far in seconds, in user mode and system mode.
func processorSeconds() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// Returns one row of the process's status, in KiB.
func status(name string) (kib int) {
	text, err := os.ReadFile("/proc/self/status")
	check(err)
	_, rest, _ := strings.Cut(string(text), name)
	fmt.Sscan(rest, &kib)
	return kib
}
