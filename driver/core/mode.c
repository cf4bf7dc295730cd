#include "mode.h"

#include <stdlib.h>

const char *run_mode_name(run_mode mode) {
    switch (mode) {
    case MODE_SPAWN: return "spawn";
    case MODE_FORK: return "fork";
    case MODE_PERSISTENT: return "persistent";
    }
    abort();
}
