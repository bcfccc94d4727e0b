// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CZSTANDARD_H
#define TERN_CZSTANDARD_H

#include <zstd.h>
#include <zstd_errors.h>

#endif
