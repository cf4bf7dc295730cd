/* cpu_quota.h: the processors that control groups allow this process: the quotas of containers,
 * batch systems and services, which the affinity does not show. */
#ifndef CPU_QUOTA_H
#define CPU_QUOTA_H

#include <limits.h>

enum { CPU_QUOTA_NONE = INT_MAX };

/* Return the number of processors, rounded up, that the smallest quota allows: of the group of this
 * process and of all groups above it, as far as they are mounted, in version 2 (cpu.max) or 1
 * (cpu.cfs_quota_us) of control groups. At least 1; CPU_QUOTA_NONE without a quota. Files are
 * looked for below `root`: "" for those of this system. What cannot be read or makes no sense is no
 * quota. */
int cpu_quota_count(const char *root);

#endif
