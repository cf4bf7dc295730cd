// The queue of frng's README: a ring, 8 deep, with a bug.
#include <frng.hpp>

#include <array>

class ring {
  public:
    bool is_full() const { return count_ == items_.size(); }
    bool is_empty() const { return count_ == 0; }
    void push(std::uint8_t x) { items_[(head_ + count_++) % 8] = x; }
    std::uint8_t pop() {
        count_--;
        return items_[head_++ % 7];
    }

  private:
    std::array<std::uint8_t, 8> items_{};
    unsigned head_ = 0, count_ = 0;
};

static void test(frngpp::generator &f) {
    ring queue;
    std::uint8_t first = 0, last = 0;
    for (;;) { // until the entropy runs out: passed
        const bool want_push = f.boolean();
        if (want_push && !queue.is_full()) {
            queue.push(last++);
        } else if (!want_push && !queue.is_empty()) {
            const auto got = queue.pop();
            FRNG_ASSERT(got == first, "got %d, not %d", got, first);
            first++;
        }
    }
}

FRNG_MAIN_CPP(test)
