/* frng_fiber.h: coroutines for frng_sched.h: functions on stacks of their own, which take turns.
 *
 * A fiber is entered by setcontext once, and left and resumed by _setjmp and _longjmp, which make
 * no system call; swapcontext makes two. AddressSanitizer and ThreadSanitizer hear of each switch.
 * A fiber may stay where it is for ever: the next function on its stack begins anew.
 *
 * Each fiber has the thread-local variables of the program: they are one block of the real thread,
 * and a switch copies them out and in. A program without any pays nothing. Where a library has some
 * too, a fiber borrows all those of a real thread that waits, at addresses of their own: then a
 * switch sets a register, and locks of the C library and AddressSanitizer tell threads apart.
 *
 * glibc, since musl has no makecontext; no shadow stacks. C11 and C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_FIBER_H
#define FRNG_FIBER_H

#include "frng_assert.h"
#include "frng_more.h"

#include <errno.h>
#include <link.h>
#include <linux/mman.h> /* what strict C11 hides */
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifndef __USE_MISC
#undef MADV_HUGEPAGE /* by which frng_main.h knows that madvise is declared */
#endif

FRNG__WRAPS

#ifndef __GLIBC__
#error "frng_sched.h needs makecontext, which glibc has and this C library lacks"
#endif

#if defined(__clang__) && defined(__has_feature) && !defined(FRNG_FIBER_SHARED_LOCALS)
#if __has_feature(thread_sanitizer) /* see "Thread-local variables" */
#define FRNG__NO_LOCALS frng_sched_cannot_separate_thread_locals_under_ThreadSanitizer_of_clang
#define _Thread_local FRNG__NO_LOCALS
#define thread_local FRNG__NO_LOCALS
#ifndef __cplusplus
#define __thread FRNG__NO_LOCALS
#endif
#endif
#endif

#ifndef FRNG_FIBER_LOCALS
#define FRNG_FIBER_LOCALS 8192 /* bytes of thread-local variables, at most */
#endif

typedef struct frng_fiber {
    jmp_buf start, at;  /* where each function on this stack begins; where this one stands */
    void (*body)(void); /* never returns; NULL: a thread of its own, not begun here */
    void *stack;        /* its lowest address */
    size_t size;        /* of the stack */
    void *fake, *tsan;  /* of the sanitizers */
    int error;          /* errno, which all fibers of a thread share, ... */
    void *caught[2];    /* ... as they do the exceptions that C++ has caught, and counts */
    char *locals;       /* FRNG_FIBER_LOCALS bytes: its thread-local variables while others run */
    uintptr_t pointer;  /* to those of a real thread, which it borrows; 0: they are copied */
    bool is_entered;    /* `start` is set */
    bool is_uncounted;  /* the real thread takes blocks that are no leaks */
} frng_fiber;

/* The fiber that runs, and the one before. All files of a program share a weak variable. */
typedef struct frng__fiber_state {
    frng_fiber *now, *before;
    ucontext_t fresh; /* no local variable: AddressSanitizer would wait for the end of its block */
} frng__fiber_state;
__attribute__((weak)) frng__fiber_state frng__fibers;

/* Functions of the sanitizers, NULL in other programs. The names are ours, so that a program may
 * include the headers of the sanitizers. */
#ifndef FRNG__UNCOUNTED
#define FRNG__UNCOUNTED
__attribute__((weak)) bool frng__leaks_uncounted; /* frng_leaks.h: set while leaks are none */
#endif
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void frng__asan_leave(void **fake, const void *stack, size_t size) //
    __asm__("__sanitizer_start_switch_fiber");
__attribute__((weak)) void frng__asan_arrive(void *fake, const void **stack, size_t *size) //
    __asm__("__sanitizer_finish_switch_fiber");
__attribute__((weak)) void *frng__tsan_this(void) __asm__("__tsan_get_current_fiber");
__attribute__((weak)) void *frng__tsan_make(unsigned flags) __asm__("__tsan_create_fiber");
__attribute__((weak)) void frng__tsan_end(void *fiber) __asm__("__tsan_destroy_fiber");
__attribute__((weak)) void frng__tsan_go(void *fiber, unsigned flags) //
    __asm__("__tsan_switch_to_fiber");
__attribute__((weak)) void frng__lsan_pauses(void) __asm__("__lsan_disable");
__attribute__((weak)) void frng__lsan_resumes(void) __asm__("__lsan_enable");
__attribute__((weak)) void frng__lsan_looks_at(const void *memory, size_t size) //
    __asm__("__lsan_register_root_region");
__attribute__((weak)) void *frng__caught(void) __asm__("__cxa_get_globals");
/* _longjmp without the checks of _FORTIFY_SOURCE, which take another stack for a mistake. */
__attribute__((noreturn)) void frng__jump(jmp_buf to, int value) __asm__("_longjmp");
#ifdef __cplusplus
}
#endif

/* ---- Thread-local variables ----
 *
 * The linker's list of what is loaded says where the block of a module is. A sanitizer of clang and
 * a static C library have variables of the real thread in the block of the program: then all fibers
 * share them. */

/* struct dl_phdr_info, which needs _GNU_SOURCE. */
typedef struct frng__module {
    ElfW(Addr) base;
    const char *name;
    const ElfW(Phdr) * parts;
    ElfW(Half) count;
    unsigned long long adds, subs;
    size_t number;
    char *block;
} frng__module;

enum { FRNG__BLOCKS = 16 };
typedef struct frng__locals {
    const void *thread;    /* whose blocks these are: its errno */
    const void *sanitizer; /* the variable of a sanitizer, or NULL */
    size_t count, size;    /* of all blocks */
    struct {
        char *at;
        const char *initial;
        size_t size, filled; /* by `initial`; the rest is 0 */
    } blocks[FRNG__BLOCKS];
    bool (*takes)(const char *path); /* also this library's; NULL: the program's alone */
    bool has_lists; /* one of these libraries may list its threads by the addresses of theirs */
    uintptr_t (*lend)(size_t place); /* makes a thread whose variables are borrowed, or NULL */
} frng__locals;
__attribute__((weak)) frng__locals frng__locals_now;

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void *frng__symbol(void *module, const char *name) __asm__("dlsym");
int frng__each_module(int (*see)(const frng__module *, size_t, void *), void *) //
    __asm__("dl_iterate_phdr");
#ifdef __cplusplus
}
#endif

static inline bool frng__is_within(const frng__module *m, void (*function)(void)) {
    for (size_t i = 0; i < m->count; i++) {
        const uintptr_t from = m->base + m->parts[i].p_vaddr, at = (uintptr_t)function;
        if (m->parts[i].p_type == PT_LOAD && at - from < m->parts[i].p_memsz) return true;
    }
    return false;
}

/* Variables, `filled` bytes of which have initial values. */
static inline void frng__add_block(char *at, const char *initial, size_t size, size_t filled) {
    frng__locals *l = &frng__locals_now;
    l->blocks[l->count].at = at;
    l->blocks[l->count].initial = initial;
    l->blocks[l->count].size = size;
    l->blocks[l->count++].filled = filled;
    l->size += size;
}

/* Return where the variables of a sanitizer in a block end: after one with an official name, or
 * after the counter that __lsan_disable changes. More than `size`: there is none. */
static inline size_t frng__end_of_sanitizer(const char *block, size_t size) {
    const size_t named = (uintptr_t)frng__locals_now.sanitizer + sizeof(void *) - (uintptr_t)block;
    size_t end = size;
    if (named > size || frng__lsan_pauses == NULL) return named;
    const char *const before = (const char *)memcpy(__builtin_alloca(size), block, size);
    frng__lsan_pauses();
    while (end > named && before[end - 1] == block[end - 1]) end--;
    frng__lsan_resumes();
    return end > named ? (end + 3) / 4 * 4 : named;
}

/* Add the block of a module, without the variables of a sanitizer in it. */
static inline void frng__add_part(const frng__module *m, const ElfW(Phdr) * part) {
    const size_t filled = part->p_filesz, size = part->p_memsz;
    const size_t end = frng__end_of_sanitizer(m->block, size);
    const bool is_linked = end <= size;
    const bool has_address = frng__is_within(m, (void (*)(void))frng__asan_leave);
    const bool has_leaks = !has_address && frng__is_within(m, frng__lsan_pauses);
    FRNG_ASSERT(is_linked ? !has_leaks : !has_address,
                "thread-local variables cannot be told from those of a sanitizer that is linked "
                "statically: link it as a shared library, or take AddressSanitizer");
    frng__add_block(m->block, (const char *)(m->base + part->p_vaddr), is_linked ? filled : size,
                    filled);
    if (is_linked) frng__add_block(m->block + end, m->block, size - end, 0);
}

/* The libraries of C++ have variables of each thread, and no list of them. */
static inline bool frng__is_of_compiler(const char *path) {
    return strstr(path, "/libstdc++") != NULL || strstr(path, "/libgcc_s") != NULL ||
           strstr(path, "/libc++") != NULL;
}

/* Is there an atomic addition, or a comparison with an exchange, in the code of a shared library?
 * The code of x86-64 shows it. */
__attribute__((unused)) static int frng__find_atomics(const frng__module *m, size_t size,
                                                      void *is_program) {
    const bool is_first = *(bool *)is_program;
    *(bool *)is_program = false;
    if (is_first || size < sizeof *m || !frng__locals_now.takes(m->name) ||
        frng__is_of_compiler(m->name))
        return 0;
    for (size_t i = 0; i < m->count; i++) {
        const uint8_t *at = (const uint8_t *)(m->base + m->parts[i].p_vaddr);
        const uint8_t *const end = at + m->parts[i].p_filesz;
        if (m->parts[i].p_type != PT_LOAD || (m->parts[i].p_flags & PF_X) == 0) continue;
        for (; end - at > 4; at++) {
            const uint8_t *const code = at[1] >> 4 == 4 ? at + 2 : at + 1; /* 40 to 4f: a prefix */
            const int operation = code[1] & 0xfe;
            if (at[0] == 0xf0 && code[0] == 0x0f && (operation == 0xc0 || operation == 0xb0))
                return 1;
        }
    }
    return 0;
}

__attribute__((unused)) static bool frng__has_atomics(void) {
    static int found = -1;
    bool is_first = true;
#ifdef __x86_64__
    if (found < 0) found = frng__each_module(frng__find_atomics, &is_first);
#endif
    (void)is_first;
    return found > 0;
}

/* The first module is the program. */
__attribute__((unused)) static int frng__add_locals(const frng__module *m, size_t size,
                                                    void *is_first) {
    const frng__locals *l = &frng__locals_now;
    const bool is_program = *(bool *)is_first;
    bool is_dynamic = !is_program;
    *(bool *)is_first = false;
    if (size < sizeof *m || m->block == NULL || l->count == FRNG__BLOCKS) return 0;
    if (!is_program && (l->takes == NULL || !l->takes(m->name))) return 0;
    if (!is_program && frng__is_within(m, (void (*)(void))frng__asan_leave)) return 0;
    if (frng__is_within(m, (void (*)(void))frng__tsan_go)) return 0;
    for (size_t i = 0; i < m->count; i++) is_dynamic |= m->parts[i].p_type == PT_INTERP;
#ifndef FRNG_FIBER_SHARED_LOCALS
    FRNG_ASSERT(is_dynamic, "threads of a static program share its thread-local variables: link it "
                            "dynamically, or define FRNG_FIBER_SHARED_LOCALS if it has none");
#endif
    for (size_t i = 0; i < m->count && is_dynamic; i++)
        if (m->parts[i].p_type == PT_TLS) frng__add_part(m, &m->parts[i]);
    frng__locals_now.has_lists |= !is_program && !frng__is_of_compiler(m->name);
    return 0;
}

/* Return the size of the thread-local variables of this real thread. */
static inline size_t frng__find_locals(void) {
    frng__locals *l = &frng__locals_now;
    bool is_first = true;
    if (l->thread == (void *)&errno) return l->size;
    l->count = l->size = 0;
    l->thread = &errno;
    if (frng__symbol != NULL) l->sanitizer = frng__symbol(NULL, "__sancov_lowest_stack");
    (void)frng__each_module(frng__add_locals, &is_first);
    return l->size;
}

/* Copy the variables of the fiber that runs out to `from`, and those of another one in. */
__attribute__((noinline, unused)) static void frng__exchange_locals(char *from, const char *to) {
    const frng__locals *l = &frng__locals_now;
    for (size_t i = 0; i < l->count; i++) {
        memcpy(from, l->blocks[i].at, l->blocks[i].size);
        memcpy(l->blocks[i].at, to, l->blocks[i].size);
        from += l->blocks[i].size, to += l->blocks[i].size;
    }
}

/* Give the variables their initial values: in a copy, or, NULL, where they are. */
static inline void frng__begin_locals(char *copy) {
    const frng__locals *l = &frng__locals_now;
    for (size_t i = 0; i < l->count; i++) {
        char *const to = copy != NULL ? copy : l->blocks[i].at;
        memcpy(to, l->blocks[i].initial, l->blocks[i].filled);
        memset(to + l->blocks[i].filled, 0, l->blocks[i].size - l->blocks[i].filled);
        if (copy != NULL) copy += l->blocks[i].size;
    }
}

static inline bool frng__is_local(const void *object) {
    const frng__locals *l = &frng__locals_now;
    if (frng__fibers.now->pointer != 0) return true;
    for (size_t i = 0; i < l->count; i++)
        if ((uintptr_t)object - (uintptr_t)l->blocks[i].at < l->blocks[i].size) return true;
    return false;
}

/* The register that points to the variables of a thread, where a program may set it. */
#if defined(__x86_64__) && defined(__LP64__)
#define FRNG__HAS_POINTER 1
static inline uintptr_t frng__get_pointer(void) {
    uintptr_t pointer;
    __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
}
static inline void frng__set_pointer(uintptr_t pointer) {
    long result = 158; /* arch_prctl */
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(0x1002 /* ARCH_SET_FS */), "S"(pointer)
                     : "rcx", "r11", "memory");
}
#else
#define FRNG__HAS_POINTER 0
static inline uintptr_t frng__get_pointer(void) { return 0; }
static inline void frng__set_pointer(uintptr_t pointer) { (void)pointer; }
#endif

/* ---- Switches ---- */

/* This fiber runs again, or for the first time. Never inlined: where errno is differs. */
__attribute__((noinline, unused)) static void frng__fiber_arrive(void) {
    frng_fiber *const before = frng__fibers.before;
    const void *stack = NULL;
    size_t size = 0;
    if (frng__asan_arrive != NULL) frng__asan_arrive(frng__fibers.now->fake, &stack, &size);
    if (before->body == NULL) {
        before->stack = (void *)(uintptr_t)stack;
        before->size = size;
    }
    if (frng__caught != NULL) memcpy(frng__caught(), frng__fibers.now->caught, sizeof(void *[2]));
    errno = frng__fibers.now->error;
}

/* Take the variables of this fiber's real thread. AddressSanitizer, which has others for it, too,
 * has not heard of this switch. */
__attribute__((noinline, unused)) static void frng__fiber_borrow(void) {
    frng_fiber *const now = frng__fibers.now;
    if (frng__fibers.before->pointer != now->pointer) frng__set_pointer(now->pointer);
    if (frng__asan_leave != NULL && now->pointer != 0)
        frng__asan_leave(&now->fake, now->stack, now->size);
}

/* The bottom of each stack. */
__attribute__((unused)) static void frng__fiber_main(void) {
    (void)_setjmp(frng__fibers.now->start);
    frng__fiber_borrow();
    frng__fiber_arrive();
    frng__fibers.now->body();
    FRNG_TRAP();
}

__attribute__((noinline, noreturn, unused)) static void frng__fiber_enter(frng_fiber *fiber) {
    ucontext_t *const fresh = &frng__fibers.fresh;
    if (getcontext(fresh) != 0) FRNG_TRAP();
    fresh->uc_stack.ss_sp = fiber->stack;
    fresh->uc_stack.ss_size = fiber->size;
    fresh->uc_link = NULL;
    makecontext(fresh, frng__fiber_main, 0);
    fiber->is_entered = true;
    (void)setcontext(fresh);
    FRNG_TRAP();
}

static inline void *frng__map(void *at, size_t size, int flags) {
    return mmap(at, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

/* Give a fiber a stack of this size at least, beyond pages that nobody can touch. A larger one than
 * before takes its place. */
static inline void frng__fiber_make_stack(frng_fiber *fiber, size_t size) {
    enum { GUARD = 1 << 16 }; /* bytes: pages of any machine */
    size = (size + GUARD - 1) / GUARD * GUARD;
    if (size <= fiber->size) return;
    if (fiber->size > 0) (void)munmap(fiber->stack, fiber->size);
    char *const at = (char *)frng__map(NULL, GUARD + size, 0);
    if (at == MAP_FAILED || mprotect(at, GUARD, PROT_NONE) != 0)
        frng__no_verdict("no room for a stack of %zu bytes", size);
    fiber->stack = at + GUARD;
    fiber->size = size;
    fiber->is_entered = false;
    if (frng__lsan_looks_at != NULL) frng__lsan_looks_at(fiber->stack, size);
}

/* Make this thread a fiber, from which the others are entered. */
static inline void frng_fiber_adopt(frng_fiber *home, char *locals, bool borrows) {
    home->body = NULL;
    home->locals = locals;
    home->pointer = borrows ? frng__get_pointer() : 0;
    home->is_entered = true;
    if (frng__tsan_this != NULL) home->tsan = frng__tsan_this();
    frng__fibers.now = home;
}

/* Begin a function; `fiber` is all zeros, or has been begun before. With the locals of the one that
 * runs it has the same variables. */
static inline void frng_fiber_begin(frng_fiber *fiber, void (*body)(void), size_t size,
                                    char *locals, uintptr_t pointer) {
    frng__fiber_make_stack(fiber, size);
    fiber->body = body;
    fiber->locals = locals;
    if (fiber->pointer != pointer) fiber->is_uncounted = false;
    fiber->pointer = pointer;
    if (locals != frng__fibers.now->locals && pointer == 0) frng__begin_locals(locals);
    fiber->error = 0;
    memset(fiber->caught, 0, sizeof fiber->caught);
    if (fiber->is_entered) memcpy(fiber->at, fiber->start, sizeof fiber->at);
    if (frng__tsan_make != NULL && fiber->tsan == NULL) fiber->tsan = frng__tsan_make(0);
}

/* A fiber begins with the variables of another real thread than its caller's. */
static inline void frng__fiber_count_leaks(frng_fiber *fiber) {
    if (frng__lsan_pauses == NULL || fiber->is_uncounted == frng__leaks_uncounted) return;
    fiber->is_uncounted = frng__leaks_uncounted;
    (fiber->is_uncounted ? frng__lsan_pauses : frng__lsan_resumes)();
}

/* Nothing will run on a fiber until it is begun again. ThreadSanitizer, which takes it for a
 * thread, would wait a second for it when the process exits. */
static inline void frng_fiber_end(frng_fiber *fiber) {
    if (fiber->tsan == NULL) return;
    frng__tsan_end(fiber->tsan);
    fiber->tsan = NULL;
    fiber->is_entered = false;
}

/* Let another fiber run. Return when this one goes on. */
__attribute__((noinline, unused)) static void frng_fiber_switch(frng_fiber *to) {
    frng_fiber *const from = frng__fibers.now;
    from->error = errno;
    if (frng__caught != NULL) memcpy(from->caught, frng__caught(), sizeof from->caught);
    if (frng__locals_now.count > 0 && from->locals != to->locals && to->pointer == 0)
        frng__exchange_locals(from->locals, to->locals);
    frng__fibers.before = from;
    frng__fibers.now = to;
    if (frng__asan_leave != NULL && to->pointer == 0)
        frng__asan_leave(&from->fake, to->stack, to->size);
    if (frng__tsan_go != NULL) frng__tsan_go(to->tsan, 0);
    if (_setjmp(from->at) == 0) {
        if (to->is_entered) frng__jump(to->at, 1);
        frng__fiber_enter(to);
    }
    frng__fiber_borrow();
    frng__fiber_arrive();
}

FRNG__WRAPS_END
#endif
