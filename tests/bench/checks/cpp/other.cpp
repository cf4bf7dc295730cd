#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include "code.hpp"

#include <numeric>

using rc::gen::inRange;

struct push : rc::state::Command<std::deque<int>, ring> {
    int x = *inRange(0, 256);
    void checkPreconditions(const std::deque<int> &m) const override { RC_PRE(m.size() < 8U); }
    void apply(std::deque<int> &m) const override { m.push_back(x); }
    void run(const std::deque<int> &, ring &r) const override { r.push(x); }
    void show(std::ostream &o) const override { o << "push(" << x << ")"; }
};

struct pop : rc::state::Command<std::deque<int>, ring> {
    void checkPreconditions(const std::deque<int> &m) const override { RC_PRE(!m.empty()); }
    void apply(std::deque<int> &m) const override { m.pop_front(); }
    void run(const std::deque<int> &m, ring &r) const override { RC_ASSERT(r.pop() == m.front()); }
    void show(std::ostream &o) const override { o << "pop()"; }
};

struct put : rc::state::Command<cache, cache> {
    int k = *inRange(0, 6), v = *inRange(0, 256);
    void apply(cache &m) const override { m.put(k, v); }
    void run(const cache &, cache &r) const override { r.put(k, v); }
    void show(std::ostream &o) const override { o << "put(" << k << ", " << v << ")"; }
};

struct get : rc::state::Command<cache, cache> {
    int k = *inRange(0, 6);
    void run(const cache &m, cache &r) const override { RC_ASSERT(r.get(k) == m.get(k)); }
    void show(std::ostream &o) const override { o << "get(" << k << ")"; }
};

int main(int, char **arguments) {
    const std::string name = arguments[1];
    if (name == "sum")
        rc::check([] {
            const auto xs = *rc::gen::container<std::vector<int>>(inRange(0, 100));
            RC_ASSERT(std::accumulate(xs.begin(), xs.end(), 0) < 500);
        });
    if (name == "distinct")
        rc::check([] {
            const auto xs = *rc::gen::container<std::vector<int>>(inRange(0, 256));
            RC_ASSERT(std::set<int>(xs.begin(), xs.end()).size() == xs.size());
        });
    if (name == "quote")
        rc::check([] {
            const auto s = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab'")));
            const std::string quoted = s + "'";
            RC_ASSERT(quoted.substr(0, quoted.find('\'')) == s);
        });
    if (name == "dates")
        rc::check([] {
            const int y = *inRange(1800, 2201), m = *inRange(1, 13), d = *inRange(1, 32);
            const int n = *inRange(0, 61);
            RC_ASSERT(add_months(y, m, d, n) == add_months(y, m, d, n, true));
        });
    if (name == "queue")
        rc::check([] {
            ring tested;
            rc::state::check(std::deque<int>(), tested,
                             rc::state::gen::execOneOfWithArgs<push, pop>());
        });
    if (name == "cache")
        rc::check([] {
            cache tested;
            rc::state::check(cache{true}, tested, rc::state::gen::execOneOfWithArgs<put, get>());
        });
}
