#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

inline std::array<int, 3> add_months(int y, int m, int d, int n, bool is_right = false) {
    const int at = 12 * y + m - 1 + n, year = at / 12, month = at % 12 + 1;
    const bool is_short = is_right && (month == 4 || month == 6 || month == 9 || month == 11);
    return {year, month, std::min(d, month == 2 ? 28 : is_short ? 30 : 31)};
}

struct ring {
    int items[8] = {}, head = 0, count = 0;
    void push(int x) { items[(head + count++) % 8] = x; }
    int pop() { return count--, items[head++ % 7]; }
};

struct cache {
    bool is_right = false;
    std::map<int, int> items{};
    std::deque<int> order{};
    void put(int k, int v) {
        const bool is_known = items.count(k) > 0;
        if (items.size() == 3 && !(is_right && is_known)) {
            items.erase(order.front());
            order.pop_front();
        }
        if (items.count(k) == 0) order.push_back(k);
        items[k] = v;
    }
    int get(int k) const { return items.count(k) > 0 ? items.at(k) : -1; }
};
