/* frng_atomic.h: each atomic operation is a point of frng_sched.h, where another thread may go on.
 *
 *     #include <frng_atomic.h>
 *     #include <stdatomic.h>
 *
 *     old = atomic_load(&top);                             // a point before each of these
 *     atomic_compare_exchange_strong(&top, &old, new);
 *     __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
 *
 * It renames the compiler's functions beneath <stdatomic.h> in all code that follows, <atomic> of
 * C++ included; outside of a run they are as usual. All of them are sequentially consistent, also
 * where they name a weaker order: weak memory is not modelled. Plain variables
 * and x++ of _Atomic ones have no points: frng_point makes one where threads share them on
 * purpose. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_ATOMIC_H
#define FRNG_ATOMIC_H

#include "frng_sched.h"

/* A macro does not expand its own name again. */
#define FRNG__ATOMIC(prefix, name, ...)                                                            \
    (frng__point(true, FRNG__SITE, &#name[prefix]), name(__VA_ARGS__))
#define __atomic_load(...) FRNG__ATOMIC(2, __atomic_load, __VA_ARGS__)
#define __atomic_load_n(...) FRNG__ATOMIC(2, __atomic_load_n, __VA_ARGS__)
#define __atomic_store(...) FRNG__ATOMIC(2, __atomic_store, __VA_ARGS__)
#define __atomic_store_n(...) FRNG__ATOMIC(2, __atomic_store_n, __VA_ARGS__)
#define __atomic_exchange(...) FRNG__ATOMIC(2, __atomic_exchange, __VA_ARGS__)
#define __atomic_exchange_n(...) FRNG__ATOMIC(2, __atomic_exchange_n, __VA_ARGS__)
#define __atomic_compare_exchange(...) FRNG__ATOMIC(2, __atomic_compare_exchange, __VA_ARGS__)
#define __atomic_compare_exchange_n(...) FRNG__ATOMIC(2, __atomic_compare_exchange_n, __VA_ARGS__)
#define __atomic_test_and_set(...) FRNG__ATOMIC(2, __atomic_test_and_set, __VA_ARGS__)
#define __atomic_clear(...) FRNG__ATOMIC(2, __atomic_clear, __VA_ARGS__)
#define __atomic_fetch_add(...) FRNG__ATOMIC(2, __atomic_fetch_add, __VA_ARGS__)
#define __atomic_add_fetch(...) FRNG__ATOMIC(2, __atomic_add_fetch, __VA_ARGS__)
#define __atomic_fetch_sub(...) FRNG__ATOMIC(2, __atomic_fetch_sub, __VA_ARGS__)
#define __atomic_sub_fetch(...) FRNG__ATOMIC(2, __atomic_sub_fetch, __VA_ARGS__)
#define __atomic_fetch_and(...) FRNG__ATOMIC(2, __atomic_fetch_and, __VA_ARGS__)
#define __atomic_and_fetch(...) FRNG__ATOMIC(2, __atomic_and_fetch, __VA_ARGS__)
#define __atomic_fetch_or(...) FRNG__ATOMIC(2, __atomic_fetch_or, __VA_ARGS__)
#define __atomic_or_fetch(...) FRNG__ATOMIC(2, __atomic_or_fetch, __VA_ARGS__)
#define __atomic_fetch_xor(...) FRNG__ATOMIC(2, __atomic_fetch_xor, __VA_ARGS__)
#define __atomic_xor_fetch(...) FRNG__ATOMIC(2, __atomic_xor_fetch, __VA_ARGS__)
#define __atomic_fetch_nand(...) FRNG__ATOMIC(2, __atomic_fetch_nand, __VA_ARGS__)
#define __atomic_nand_fetch(...) FRNG__ATOMIC(2, __atomic_nand_fetch, __VA_ARGS__)
#define __c11_atomic_load(...) FRNG__ATOMIC(6, __c11_atomic_load, __VA_ARGS__)
#define __c11_atomic_store(...) FRNG__ATOMIC(6, __c11_atomic_store, __VA_ARGS__)
#define __c11_atomic_exchange(...) FRNG__ATOMIC(6, __c11_atomic_exchange, __VA_ARGS__)
#define __c11_atomic_compare_exchange_strong(...)                                                  \
    FRNG__ATOMIC(6, __c11_atomic_compare_exchange_strong, __VA_ARGS__)
#define __c11_atomic_compare_exchange_weak(...)                                                    \
    FRNG__ATOMIC(6, __c11_atomic_compare_exchange_weak, __VA_ARGS__)
#define __c11_atomic_fetch_add(...) FRNG__ATOMIC(6, __c11_atomic_fetch_add, __VA_ARGS__)
#define __c11_atomic_fetch_sub(...) FRNG__ATOMIC(6, __c11_atomic_fetch_sub, __VA_ARGS__)
#define __c11_atomic_fetch_and(...) FRNG__ATOMIC(6, __c11_atomic_fetch_and, __VA_ARGS__)
#define __c11_atomic_fetch_or(...) FRNG__ATOMIC(6, __c11_atomic_fetch_or, __VA_ARGS__)
#define __c11_atomic_fetch_xor(...) FRNG__ATOMIC(6, __c11_atomic_fetch_xor, __VA_ARGS__)
#define __c11_atomic_fetch_nand(...) FRNG__ATOMIC(6, __c11_atomic_fetch_nand, __VA_ARGS__)
#define __c11_atomic_fetch_min(...) FRNG__ATOMIC(6, __c11_atomic_fetch_min, __VA_ARGS__)
#define __c11_atomic_fetch_max(...) FRNG__ATOMIC(6, __c11_atomic_fetch_max, __VA_ARGS__)
#define __sync_fetch_and_add(...) FRNG__ATOMIC(2, __sync_fetch_and_add, __VA_ARGS__)
#define __sync_add_and_fetch(...) FRNG__ATOMIC(2, __sync_add_and_fetch, __VA_ARGS__)
#define __sync_fetch_and_sub(...) FRNG__ATOMIC(2, __sync_fetch_and_sub, __VA_ARGS__)
#define __sync_sub_and_fetch(...) FRNG__ATOMIC(2, __sync_sub_and_fetch, __VA_ARGS__)
#define __sync_fetch_and_and(...) FRNG__ATOMIC(2, __sync_fetch_and_and, __VA_ARGS__)
#define __sync_and_and_fetch(...) FRNG__ATOMIC(2, __sync_and_and_fetch, __VA_ARGS__)
#define __sync_fetch_and_or(...) FRNG__ATOMIC(2, __sync_fetch_and_or, __VA_ARGS__)
#define __sync_or_and_fetch(...) FRNG__ATOMIC(2, __sync_or_and_fetch, __VA_ARGS__)
#define __sync_fetch_and_xor(...) FRNG__ATOMIC(2, __sync_fetch_and_xor, __VA_ARGS__)
#define __sync_xor_and_fetch(...) FRNG__ATOMIC(2, __sync_xor_and_fetch, __VA_ARGS__)
#define __sync_fetch_and_nand(...) FRNG__ATOMIC(2, __sync_fetch_and_nand, __VA_ARGS__)
#define __sync_nand_and_fetch(...) FRNG__ATOMIC(2, __sync_nand_and_fetch, __VA_ARGS__)
#define __sync_bool_compare_and_swap(...) FRNG__ATOMIC(2, __sync_bool_compare_and_swap, __VA_ARGS__)
#define __sync_val_compare_and_swap(...) FRNG__ATOMIC(2, __sync_val_compare_and_swap, __VA_ARGS__)
#define __sync_lock_test_and_set(...) FRNG__ATOMIC(2, __sync_lock_test_and_set, __VA_ARGS__)
#define __sync_lock_release(...) FRNG__ATOMIC(2, __sync_lock_release, __VA_ARGS__)

#endif
