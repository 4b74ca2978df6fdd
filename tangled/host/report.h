/* Writes a judgement as one JSON object. */
#ifndef SHUFFLE_LADDER_HOST_REPORT_H
#define SHUFFLE_LADDER_HOST_REPORT_H

#include "judge.h"

/* False where the file cannot be written whole; errno says why. */
bool report_write(const struct judgement *j, const char *path);

#endif
