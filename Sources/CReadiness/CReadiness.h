// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CREADINESS_H
#define TERN_CREADINESS_H

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>

// prctl takes a variable number of arguments, so Swift cannot call it.
static inline void CReadiness_nameThread(const char *name) { prctl(PR_SET_NAME, name); }
#endif

#endif
