/* ledger: four accounts with deposits, withdrawals and interest of a tenth. Fails when two accounts
 * that have 100 or more are equal and one of them has earned interest.
 *
 * Smallest: 91 and its interest against 100.
 *
 *     ledger              deposit 0 91, deposit 1 100, interest 0
 *         01005d014066ab00
 */
#include "challenge.h"

enum { ACCOUNTS = 4, LEAST = 100 };

typedef enum operation { DEPOSIT, WITHDRAW, INTEREST, OPERATIONS } operation;

typedef struct account {
    unsigned balance;
    bool has_earned;
} account;

static void check(const account *a, const account *b) {
    if (a == b || a->balance != b->balance || a->balance < LEAST) return;
    FRNG_ASSERT(!a->has_earned && !b->has_earned, "both have %u", a->balance);
}

static bool operate(frng *f, account *accounts) {
    uint8_t drawn, amount;
    size_t at;
    FRNG_TRY(frng_u8_max(f, OPERATIONS - 1, &drawn) && frng_pick(f, ACCOUNTS, &at));
    account *a = &accounts[at];
    if ((operation)drawn == INTEREST) {
        if (a->balance >= 10) a->has_earned = true;
        a->balance += a->balance / 10;
        if (a->balance > 2000) *a = (account){0};
    } else {
        FRNG_TRY(frng_u8_range(f, 1, 250, &amount));
        if ((operation)drawn == DEPOSIT)
            a->balance += amount;
        else if (amount <= a->balance)
            a->balance -= amount;
    }
    for (size_t i = 0; i < ACCOUNTS; i++) check(a, &accounts[i]);
    return true;
}

static bool test(frng *f) {
    account accounts[ACCOUNTS] = {{0}};
    for (;;) FRNG_TRY(operate(f, accounts));
}
