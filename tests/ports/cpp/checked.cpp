// checked.cpp: tests of GoogleTest, or with -DCATCH of Catch2, that fail as test.sh there wants them.
#ifdef CATCH
#include <catch2/catch.hpp>
#define A_TEST(name) TEST_CASE(#name)
#define ENDS(condition) REQUIRE(condition)
#define THROWS(draw, type) CHECK_THROWS_AS(draw, type)
#define GOES_ON(condition) CHECK(condition)
#else
#include <gtest/gtest.h>
#define A_TEST(name) TEST(Checks, name)
#define ENDS(condition) ASSERT_TRUE(condition)
#define THROWS(draw, type) EXPECT_THROW(draw, type)
#define GOES_ON(condition) EXPECT_TRUE(condition)
#endif
#include <frng_check.hpp>

#include <deque>
#include <future>

using frngpp::generator;

A_TEST(ends) {
    frngpp::check([](generator &f) { ENDS(f.u8() < 200); });
}

#ifdef CATCH
TEST_CASE("-odd[a],\"b\"") {
    frngpp::check([](generator &f) { ENDS(f.u8() < 200); });
}
#endif

A_TEST(DISABLED_ends) {
    frngpp::check([](generator &f) { ENDS(f.u8() < 200); });
}

A_TEST(goes_on) {
    frngpp::check_options options;
    options.runs = 200;
    frngpp::check([](generator &f) { GOES_ON(f.u8() < 200); }, options);
}

/* A check that fails counts, whatever passes after it. */
A_TEST(goes_on_far) {
    frngpp::check([](generator &f) {
        const int x = f.note("x").u8();
        GOES_ON(x < 200);
        GOES_ON(x >= 0);
    });
}

#ifdef GOOGLETEST_INCLUDE_GTEST_GTEST_H_
A_TEST(skips) {
    frngpp::check([](generator &f) {
        if (f.u8() > 1) GTEST_SKIP();
        GTEST_SUCCEED();
    });
}
#endif

A_TEST(throws) {
    frngpp::check([](generator &f) {
        if (f.u8() >= 200) throw std::runtime_error("large");
    });
}

/* What a failing check throws is one std::exception. */
A_TEST(caught) {
    try {
        frngpp::check([](generator &f) { ENDS(f.u8() < 200); });
    } catch (const std::runtime_error &error) {
        const auto *failed = dynamic_cast<const frngpp::check_failed *>(&error);
        std::cout << "caught " << (failed != nullptr ? failed->what() : "another") << '\n';
        throw;
    }
}

A_TEST(asserts) {
    const int bound = 200;
    frngpp::check([&](generator &f) { FRNG_ASSERT(f.note("x").u8() < bound); });
}

/* What a destructor asserts counts after the end of the entropy, too. */
struct closes {
    int x = 0;
    ~closes() { FRNG_ASSERT(x < 200); }
};

A_TEST(closes) {
    frngpp::check([](generator &f) {
        closes last;
        for (;;) last.x = f.note("x").u8();
    });
}

/* The end of the entropy passes where no exception can. */
A_TEST(cannot_pass) {
    frngpp::check([](generator &f) {
        if (f.u8() == 200) [&]() noexcept { f.bytes(99); }();
    });
}

/* A catch of everything does not keep the end of the entropy, but one that names it does. */
A_TEST(catches) {
    frngpp::check([](generator &f) {
        const auto is_small = [&](int most) {
            try {
                if (f.in(0, most) > 9) throw std::invalid_argument("large");
            } catch (const std::invalid_argument &) {
                throw;
            } catch (...) {
                return false;
            }
            return true;
        };
        ENDS(is_small(9));
        THROWS(f.in(0, 9) < 10 ? throw 7 : 0, int);
        for (;;) THROWS(is_small(9) ? throw 7 : 0, int);
    });
}

/* What other threads, or one that looks later, keep of it is no failure either. */
A_TEST(keeps_for_later) {
    frngpp::check_options options;
    options.runs = 50;
    const auto waits = [](generator &f) {
        for (;;) {
            bool has_drawn = false;
            const auto drawn = std::async(std::launch::deferred, [&] {
                f.u8();
                has_drawn = true;
            });
            drawn.wait();
            ENDS(has_drawn);
        }
    };
    frngpp::check(waits, options);
}

A_TEST(catches_by_name) {
    frngpp::check([](generator &f) {
        int sum = 0;
        try {
            for (;;) sum += f.note("x").u8();
        } catch (const frngpp::out_of_entropy &) {
        }
        ENDS(sum < 300);
    });
}

/* Where something else hides it, the run passes in the end, unless it has failed. */
A_TEST(hides) {
    frngpp::check([](generator &f) {
        const bool is_large = f.u8() > 199;
        GOES_ON(!is_large);
        while (!is_large) {
            try {
                f.u8();
            } catch (...) {
                try {
                    throw std::runtime_error("hidden");
                } catch (const std::runtime_error &) {
                }
            }
        }
        [&]() noexcept { f.bytes(9999); }();
    });
}

/* An error that takes its place in a handler of everything is none of the test. */
A_TEST(replaces) {
    frngpp::check([](generator &f) {
        try {
            f.bytes(9999);
        } catch (...) {
            std::throw_with_nested(std::runtime_error("hidden"));
        }
    });
}

/* A driver reaches the first check alone. */
A_TEST(two) {
    for (const int most : {256, 200}) frngpp::check([=](generator &f) { ENDS(f.u8() < most); });
}

A_TEST(passes) {
    frngpp::check_options options;
    options.runs = 300;
    frngpp::check([](generator &f) { GOES_ON(f.u8() < 256); }, options);
}

A_TEST(discards) {
    frngpp::check([](generator &f) { f.assume(f.u8() == 250); });
}

/* A rule that cannot be taken discards no run. */
A_TEST(rules) {
    frngpp::check([](generator &f) { f.repeat({{"all", [&] { f.assume(false); }}}); });
}

/* Fails, or hangs, at few bytes, where the environment says so. */
A_TEST(rare) {
    frngpp::check_options options;
    options.runs = 20;
    frngpp::check(
        [](generator &f) {
            const char *wish = std::getenv("RARE");
            f.step("hit");
            const auto x = f.u8();
            while (wish != nullptr && *wish == 'h' && x >= 128) pause();
            ENDS((wish == nullptr || *wish != 'f' || x != 7));
        },
        options);
}

/* The queue of the README, 8 deep, and what it should hold. */
A_TEST(machine) {
    frngpp::check([](generator &f) {
        std::uint8_t items[8];
        std::size_t head = 0, count = 0;
        std::deque<std::uint8_t> model;
        const auto push = [&] {
            if (count == 8) return;
            const auto x = f.note("x").u8(0, 9);
            items[(head + count++) % 8] = x;
            model.push_back(x);
        };
        const auto pop = [&] {
            if (count == 0) return;
            const auto got = items[head++ % 7], wanted = model.front();
            count--;
            model.pop_front();
            ENDS(got == wanted);
        };
        f.repeat({{"push", push}, {"pop", pop}}, [&] { ENDS(count == model.size()); });
    });
}

/* What holds after each rule holds after one of them alone. */
A_TEST(invariant) {
    frngpp::check([](generator &f) {
        int count = 0;
        const auto push = [&] {
            f.note("x").u8();
            count++;
        };
        f.repeat({{"push", push}}, [&] { ENDS(count < 2); });
    });
}

struct span {
    int from, to;
};

std::ostream &operator<<(std::ostream &out, const span &s) {
    return out << '<' << s.from << ' ' << s.to << '>';
}

enum class hue : char { red = 7 };

/* A span without <<. */
struct dark_span {
    span inner;
};

/* Values of several draws, and those that only the test knows. */
A_TEST(values) {
    frngpp::check([](generator &f) {
        const auto make = [&] {
            const int from = f.in(0, 0);
            f.note("inner");
            return span{from, f.in(3, 3)};
        };
        int order[] = {7};
        f.note("spans");
        f.list(2, 2, make);
        f.note("dark");
        f.list(1, 1, [&] { return dark_span{make()}; });
        f.note("shade").draw([&] { return dark_span{make()}; });
        f.u8(5, 5);
        f.note("one");
        f.draw([&] { return std::make_pair(make(), std::string("a\n")); });
        f.note("pair");
        make();
        f.note("hue").pick({hue::red});
        f.note("two").u8(0, 0), f.u8(3, 3);
        f.note("order");
        f.permutation(1);
        f.shuffle(order);
        f.note("word");
        f.pick({"it"});
        for (std::size_t n = 0; f.more(n, 1, 1); n++) {
            f.note("key").u8(0, 0);
        }
        f.note("lost");
        f.list(1, 1, [&] {
            make();
            if (f.used() > 0) throw std::runtime_error("lost");
            return 0;
        });
    });
}

/* The draw that chooses an operation is no argument of the one before. */
A_TEST(chosen) {
    frngpp::check([](generator &f) {
        for (int sum = 0;;) {
            const bool adds = f.in(0, 1) == 0;
            f.step(adds ? "add" : "rest");
            sum += f.note("by").in(3, 3) * adds;
            ENDS(sum < 9);
        }
    });
}

/* A value that a rule gives up has ended: what later rules note is shown. */
A_TEST(given_up) {
    frngpp::check([](generator &f) {
        bool is_zero = false;
        auto keep = [&] {
            is_zero |= f.in(0, 9) == 0;
            f.assume(!is_zero);
            return 1;
        };
        f.repeat({{"add", [&] { f.note("x").draw(keep); }},
                  {"sub", [&] { ENDS((f.note("y").in(1, 9) < 5 || !is_zero)); }}});
    });
}

A_TEST(in_order) {
    frngpp::check([](generator &f) {
        f.step("open");
        f.in(1, 1);
        f.step("close");
        ENDS(f.index(1) > 0);
    });
}
