// SPDX-License-Identifier: Apache-2.0

// Otherwise the compiler says no more than that a module is missing.
#if !AllProducts && !Observability
#error("TernObservability needs the trait Observability: add it to `traits:` of the package tern in Package.swift")
#endif
