// SPDX-License-Identifier: Apache-2.0

// Without this check, the compiler would only report a missing module.
#if !AllProducts && !Observability
#error("TernObservability needs the trait Observability: add it to `traits:` of the package tern in Package.swift")
#endif
