// SPDX-License-Identifier: Apache-2.0

// Otherwise the compiler says no more than that a module is missing.
#if !AllProducts && !Publishers && !canImport(Combine)
#error("TernPublishers needs the trait Publishers: add it to `traits:` of the package tern in Package.swift")
#endif
