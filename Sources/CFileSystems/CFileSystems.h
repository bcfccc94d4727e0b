// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CFILESYSTEMS_H
#define TERN_CFILESYSTEMS_H

#if defined(__linux__)
#include <sys/vfs.h>
#endif

#endif
