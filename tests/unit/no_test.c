/* A file without a TEST. Its program fails: tests/unit/meson.build expects it. */
#include "suite.h"
