// SPDX-License-Identifier: Apache-2.0

// This is the only file that imports Combine or OpenCombine; the code in all other files is the same for both. The file
// re-exports the framework, so that code that imports this product has the operators, too.
@_exported public import Tern

#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif
