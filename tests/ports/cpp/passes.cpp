// Checks that pass, without a test runner, and without a draw where NOTHING is set. The second is no target: it has no arguments.
#include <frng_check.hpp>

#include <cstdlib>

int main() {
    frngpp::check_options options;
    options.name = "passes";
    options.arguments = {"passes"};
    frngpp::check(
        [](frngpp::generator &f) {
            while (std::getenv("NOTHING") == nullptr) f.u8();
        },
        options);
    options.arguments.clear();
    frngpp::check([](frngpp::generator &f) { f.u8(); }, options);
}
