#include "batch_reports.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

int batch_reports_init(batch_reports *a, size_t count) {
    void *memory = mmap(NULL, count * sizeof(batch_report), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *a = (batch_reports){0};
    if (memory == MAP_FAILED) return errno;
    a->list = calloc(count, sizeof *a->list);
    if (a->list == NULL) {
        munmap(memory, count * sizeof(batch_report));
        return ENOMEM;
    }
    a->count = count;
    a->memory = memory;
    for (size_t i = 0; i < count; i++) a->list[i].report = &a->memory[i];
    return 0;
}

void batch_reports_finish(batch_reports *a) {
    if (a->count > 0) munmap(a->memory, a->count * sizeof(batch_report));
    free(a->list);
    *a = (batch_reports){0};
}

batch_report *batch_reports_take(batch_reports *a, uint64_t number, unsigned worker) {
    for (size_t i = 0; i < a->count; i++) {
        report_slot *one = &a->list[i];
        if (one->number != 0) continue;
        one->number = number;
        one->worker = worker;
        return one->report;
    }
    return NULL;
}

void batch_reports_free(batch_reports *a, uint64_t number) {
    for (size_t i = 0; i < a->count; i++) {
        if (a->list[i].number == number) a->list[i].number = 0;
    }
}

void batch_reports_free_before(batch_reports *a, unsigned worker, uint64_t wanted) {
    for (size_t i = 0; i < a->count; i++) {
        if (a->list[i].worker == worker && a->list[i].number < wanted) a->list[i].number = 0;
    }
}
