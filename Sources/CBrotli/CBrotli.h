// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CBROTLI_H
#define TERN_CBROTLI_H

#include <brotli/decode.h>

#endif
