// SPDX-License-Identifier: Apache-2.0

// Without this check, the compiler would only report a missing module.
#if !AllProducts && !CommandLine
#error("tern-cli needs the trait CommandLine: add it to `traits:` of the package tern in Package.swift")
#endif
