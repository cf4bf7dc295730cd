// replay.cpp: replay the findings of the queue in a folder, as a test runner does.
#include <frng_findings.hpp>

#undef FRNG_MAIN_CPP
#define FRNG_MAIN_CPP(test) // the queue has no main here
#include "queue.cpp"

int main(int argc, char **argv) {
    const auto failures = frngpp::replay<test>(argc > 1 ? argv[1] : "found");
    for (const auto &name : failures) std::printf("%s fails\n", name.c_str());
    return failures.empty() ? 0 : 1;
}
