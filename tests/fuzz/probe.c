/* Compiles and links where clang has its libFuzzer and sanitizers. */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) { return bytes == NULL && size > 0; }
