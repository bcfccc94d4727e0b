// SPDX-License-Identifier: Apache-2.0

// Without this check, the compiler would only report a missing module.
#if !AllProducts && !Publishers && !canImport(Combine)
#error("TernPublishers needs the trait Publishers: add it to `traits:` of the package tern in Package.swift")
#endif
