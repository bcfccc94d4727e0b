// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CREADINESS_H
#define TERN_CREADINESS_H

#if defined(__linux__)
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>

// prctl takes a variable number of arguments, so Swift cannot call it.
static inline void CReadiness_nameThread(const char *name) { prctl(PR_SET_NAME, name); }

// The fields of sigaction have other names in each C library.
static inline void CReadiness_ignoreBrokenPipes(void)
{
    struct sigaction action;
    if (sigaction(SIGPIPE, NULL, &action) != 0) return;
    if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
}
#endif

#endif
