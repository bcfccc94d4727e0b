// SPDX-License-Identifier: Apache-2.0

// The only place where it matters which of the two it is; all other files are one source. Who imports this product has
// the operators, too.
@_exported public import Tern

#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif
