/* apr_threadpool: destroyed under its threads.
 *
 * Library: the Apache Portable Runtime's thread pool
 * Bug: `apr_thread_pool_destroy` returns while threads of the pool go on
 * Packages: libaprutil1-dev libapr1-dev
 * Link: -rdynamic -D_GNU_SOURCE -I/usr/include/apr-1.0 -laprutil-1 -lapr-1
 * Search: --size-max 64
 *
 * apr_thread_pool.h: "Destroy the thread pool and stop all the threads". The library is scheduled
 * as it is, by frng_threads.h: entropy says which of its threads is interrupted, and where. A
 * thread that is neither joined nor detached at the end fails by itself.
 * SPDX-License-Identifier: MIT */
#include <frng_threads.h>

#include <frng_main.h>

#include <apr_general.h>
#include <apr_thread_pool.h>

enum { TASKS = 4, THREADS = 2 };

static apr_pool_t *memory;

static void *APR_THREAD_FUNC task(apr_thread_t *thread, void *argument) {
    (void)thread;
    return argument;
}

static void *begin(void *argument) {
    apr_thread_pool_t *pool;
    FRNG_ASSERT(apr_thread_pool_create(&pool, 0, THREADS, memory) == APR_SUCCESS, "no pool");
    for (int i = 0; i < TASKS; i++)
        FRNG_ASSERT(apr_thread_pool_push(pool, task, NULL, 0, NULL) == APR_SUCCESS, "no task");
    apr_thread_pool_destroy(pool);
    return argument;
}

static bool test(frng *f) {
    if (apr_initialize() != APR_SUCCESS) exit(FRNG_EXIT_CANNOT_JUDGE);
    if (apr_pool_create(&memory, NULL) != APR_SUCCESS) exit(FRNG_EXIT_CANNOT_JUDGE);
    const bool ok = frng_sched_run(f, begin, NULL);
    apr_pool_destroy(memory);
    apr_terminate();
    return ok;
}

FRNG_MAIN(test)
