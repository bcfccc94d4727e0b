// SPDX-License-Identifier: Apache-2.0
#ifndef RECORDER_H
#define RECORDER_H

/// Begins to record: what was recorded before is forgotten.
void walk_begin(void);

/// Ends the recording, and prints it: a line with the name, the counts, and the addresses of the functions that were entered.
void walk_end(const char *name);

#endif
