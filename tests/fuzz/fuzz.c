/* The libFuzzer program of all targets: the variable FRNG_FUZZ names the one that runs. */
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define TARGET(name)                                                                               \
    { #name, fuzz_##name }
static const struct target {
    const char *name;
    fuzz_target *run;
} targets[] = {
    TARGET(constants), TARGET(driver), TARGET(finding), TARGET(guide),
    TARGET(options),   TARGET(passes), TARGET(report),  TARGET(server),
    TARGET(sites),     TARGET(text),   TARGET(trace),   TARGET(worker),
};

static const struct target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const char *name = getenv("FRNG_FUZZ");
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (name != NULL && strcmp(name, targets[i].name) == 0) chosen = &targets[i];
    }
    if (chosen != NULL) return 0;
    fputs("FRNG_FUZZ has to name a target: see fuzz.c\n", stderr);
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_input in = {bytes, size};
    chosen->run(&in);
    return 0;
}
