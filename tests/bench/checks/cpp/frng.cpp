#include <frng_check.hpp>

#include "code.hpp"

#include <cstring>
#include <numeric>

using frngpp::generator;

static void sum(generator &f) {
    const auto xs = f.note("xs").list(0, 50, [&] { return f.in(0, 99); });
    FRNG_ASSERT(std::accumulate(xs.begin(), xs.end(), 0) < 500);
}

static void distinct(generator &f) {
    const auto xs = f.note("xs").list(0, 50, [&] { return f.u8(); });
    FRNG_ASSERT(std::set<int>(xs.begin(), xs.end()).size() == xs.size());
}

static void quote(generator &f) {
    const std::string s = f.note("s").string("ab'", 0, 9), quoted = s + "'";
    FRNG_ASSERT(quoted.substr(0, quoted.find('\'')) == s);
}

static void dates(generator &f) {
    const int y = f.note("y").in(1800, 2200), m = f.note("m").in(1, 12), d = f.note("d").in(1, 31);
    const int n = f.note("n").in(0, 60);
    FRNG_ASSERT(add_months(y, m, d, n) == add_months(y, m, d, n, true));
}

static void queue(generator &f) {
    ring tested;
    std::deque<int> model;
    f.repeat({{"push",
               [&] {
                   f.assume(model.size() < 8);
                   model.push_back(f.note("x").u8());
                   tested.push(model.back());
               }},
              {"pop", [&] {
                   f.assume(!model.empty());
                   FRNG_ASSERT(tested.pop() == model.front());
                   model.pop_front();
               }}});
}

static void caches(generator &f) {
    cache tested, model{true};
    f.repeat({{"put",
               [&] {
                   const int k = f.note("k").in(0, 5), v = f.note("v").u8();
                   tested.put(k, v);
                   model.put(k, v);
               }},
              {"get", [&] {
                   const int k = f.note("k").in(0, 5);
                   FRNG_ASSERT(tested.get(k) == model.get(k));
               }}});
}

int main(int count, char **arguments) {
    const struct {
        const char *name;
        void (*test)(generator &);
    } all[] = {{"sum", sum},     {"distinct", distinct}, {"quote", quote},
               {"dates", dates}, {"queue", queue},       {"cache", caches}};
    for (const auto &one : all) {
        if (count < 2 || std::strcmp(arguments[1], one.name) != 0) continue;
        frngpp::check_options options;
        options.name = one.name;
        options.arguments = {one.name};
        try {
            frngpp::check(one.test, options);
        } catch (const frngpp::check_failed &) {
            return 1;
        }
    }
}
