// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CBROTLIENCODER_H
#define TERN_CBROTLIENCODER_H

#include <brotli/encode.h>

#endif
