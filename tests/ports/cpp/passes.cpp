// Checks that pass, without a test runner, and without a draw where NOTHING is set. The last two are no targets: they have no arguments.
#include <frng_check.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

static std::ptrdiff_t maps() {
    std::ifstream file("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
}

int main() {
    frngpp::check_options options;
    const auto test = [](frngpp::generator &f) { f.u8(); };
    options.name = "passes";
    options.arguments = {"passes"};
    frngpp::check(
        [](frngpp::generator &f) {
            while (std::getenv("NOTHING") == nullptr) f.u8();
        },
        options);
    options.arguments.clear();
    frngpp::check(test, options);
    const std::ptrdiff_t before = maps();
    frngpp::check(test, options);
    if (maps() > before) std::abort(); // a check leaves memory behind
}
