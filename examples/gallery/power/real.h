/* real.h: the second way: a store on a real file system, whose image is copied while it is mounted.
 *
 *     NAME FOLDER WORD...
 *
 *     open               open the store; what open says is printed
 *     put:k0 put:k0:90   put the next value, of 7 bytes or so many; what put returns is printed
 *     get:k0             print what the key has
 *     check              print what the store's own check says
 *     writeback          write out what is dirty, as the kernel does after half a minute
 *     commit             commit the journal, as the kernel does after five seconds
 *     before:2           copy the image before the second fsync, fdatasync or msync from now on
 *     crash              copy the image now, and exit
 *     late               write out what is dirty before that copy
 *
 * $SNAPSHOT is the command that copies the image. See real.sh. SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int until_crash;
static bool is_late;
static const char *folder;

static void commit(bool all) {
    char path[200];
    snprintf(path, sizeof path, "%s.other", folder);
    const int fd = open(path, O_CREAT | O_WRONLY, 0644);
    if (fd < 0 || write(fd, "x", 1) != 1) perror(path);
    if ((all ? syscall(SYS_syncfs, fd) : syscall(SYS_fsync, fd)) != 0) perror(path);
    close(fd);
}

static void crash(void) {
    if (is_late) commit(true);
    fflush(stdout);
    _exit(system(getenv("SNAPSHOT")) == 0 ? 0 : 1);
}

#define SYNC(name, parameters, arguments)                                                          \
    int real_##name parameters __asm__(#name);                                                     \
    int real_##name parameters {                                                                   \
        int(*next) parameters = NULL;                                                              \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                 \
        if (until_crash > 0 && --until_crash == 0) crash();                                        \
        return next arguments;                                                                     \
    }
SYNC(fsync, (int fd), (fd))
SYNC(fdatasync, (int fd), (fd))
SYNC(msync, (void *at, size_t size, int flags), (at, size, flags))

static void put(void *store, const char *key, size_t size) {
    static char value[10000];
    static int puts;
    memset(value, '.', sizeof value);
    memcpy(value, "value ", 6), value[6] = (char)('0' + puts++);
    const bool ok = kv_put(store, key, value, size);
    printf("put %s = %.7s: %s\n", key, value, ok ? "returned" : kv_error);
}

static void get(void *store, const char *key) {
    char value[10000];
    const int size = kv_get(store, key, value, sizeof value);
    if (size >= 0)
        printf("get %s = %.*s\n", key, size < 7 ? size : 7, value);
    else
        printf("get %s: %s\n", key, size == -1 ? "there is none" : kv_error);
}

int main(int argc, char **argv) {
    void *store = NULL;
    folder = argv[1];
    for (int i = 2; i < argc; i++) {
        char word[20] = "", key[3] = "";
        unsigned size = 7;
        sscanf(argv[i], "%19[^:]:%2[^:]:%u", word, key, &size);
        if (strcmp(word, "open") == 0) {
            store = kv_open(folder);
            printf("open: %s\n", store != NULL ? "returned" : kv_error);
            if (store == NULL) return 1;
        }
        if (strcmp(word, "put") == 0) put(store, key, size);
        if (strcmp(word, "get") == 0) get(store, key);
        if (strcmp(word, "check") == 0 && kv_check(store)) printf("check: %s\n", kv_check(store));
        if (strcmp(word, "check") == 0 && !kv_check(store)) puts("check: all is well");
        if (strcmp(word, "writeback") == 0) commit(true);
        if (strcmp(word, "commit") == 0) commit(false);
        if (strcmp(word, "before") == 0) until_crash = atoi(key);
        if (strcmp(word, "late") == 0) is_late = true;
        if (strcmp(word, "crash") == 0) crash();
    }
    fflush(stdout);
    _exit(0);
}
