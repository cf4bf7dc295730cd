#include "probe.h"

#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process of its own: start the server, and send what it said. */
static _Noreturn void probe_main(const spawn_config *config, int out) {
    shared report;
    entropy_file entropy;
    server s;
    int error;
    frng_message found = {0};
    if (shared_init(&report, 0) == 0 && entropy_init(&entropy, 0) == 0 &&
        server_start(&s, config, &report, &entropy, &error) == SERVER_READY) {
        found = (frng_message){.type = FRNG_HELLO,
                               .flags = s.flags,
                               .drawn_offset = s.layout.drawn_offset,
                               .drawn_width = s.layout.drawn_width};
        server_stop(&s);
    }
    const ssize_t sent = write(out, &found, sizeof found);
    _exit(sent == (ssize_t)sizeof found ? EXIT_SUCCESS : EXIT_FAILURE);
}

run_mode probe_run(containment c, const spawn_config *config, shared_layout *layout) {
    frng_message found = {0};
    int ends[2];
    *layout = (shared_layout){0, 0};
    if (pipe2(ends, O_CLOEXEC) != 0) return MODE_SPAWN;
    const pid_t pid = containment_fork(c);
    if (pid == 0) probe_main(config, ends[1]);
    close(ends[1]);
    const bool told = pid > 0 && read(ends[0], &found, sizeof found) == (ssize_t)sizeof found;
    close(ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    if (!told || found.type != FRNG_HELLO) return MODE_SPAWN;
    *layout = (shared_layout){found.drawn_offset, found.drawn_width};
    return (found.flags & FRNG_CAN_BATCH) != 0 ? MODE_PERSISTENT : MODE_FORK;
}
