// Checks that pass, without a test runner. The second is no target: it has no arguments.
#include <frng_check.hpp>

int main() {
    frngpp::check_options options;
    options.name = "passes";
    options.arguments = {"passes"};
    frngpp::check(
        [](frngpp::generator &f) {
            for (;;) f.u8();
        },
        options);
    options.arguments.clear();
    frngpp::check([](frngpp::generator &f) { f.u8(); }, options);
}
