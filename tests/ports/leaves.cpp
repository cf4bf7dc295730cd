/* Tests whose failures are caught, cannot be, or leave what changes later runs. See test_stays.py. */
#include <frng.hpp>

#include <string>

static std::string deed;
static int left, open_now;

struct guard {
    guard() { open_now++; }
    ~guard() { open_now--; }
};

static void fail() { FRNG_ASSERT(false, "three are large"); }
static void fail_quietly() noexcept { fail(); }

struct fails_at_end {
    ~fails_at_end() { fail(); }
};

static void test(frngpp::generator &f) {
    const int enough = left > 0 && deed == "fails-by-less" ? 2 : 3;
    int large = 0;
    if (left > 0 && deed == "passes-later") std::exit(0);
    if (open_now > 0) std::abort(); /* a destructor did not run */
    const guard held;
    while (large < enough) large += f.u8() > 200;
    left++;
    try {
        if (deed == "cannot-pass") fail_quietly();
        if (deed == "ends-a-scope") const fails_at_end end;
        fail();
    } catch (...) {
        if (deed == "throws-another") throw 7;
        if (deed != "is-caught") throw;
    }
}

int main(int, char **argv) {
    deed = argv[1];
    return frngpp::run<test>();
}
