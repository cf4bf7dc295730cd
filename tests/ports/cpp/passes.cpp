// A check that passes, without a test runner; and as a target, with arguments.
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
}
