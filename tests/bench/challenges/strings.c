/* strings: words of up to 12 of three letters, at most 60 of them, each counted. Fails when a word
 * of three letters or more comes a second time: only the first letters of a word are kept.
 *
 * Smallest: the same three letters twice.
 *
 *     strings             "aaa" "aaa"
 *         2020200120202001
 */
#include "challenge.h"

enum { WORDS_MAX = 60, LETTERS_MAX = 12, KEPT = 2 };

static bool count_words(frng *f) {
    char words[WORDS_MAX][LETTERS_MAX + 1];
    for (size_t count = 0; count < WORDS_MAX; count++) {
        FRNG_TRY(frng_string(f, "abc", 0, LETTERS_MAX, words[count]));
        for (size_t i = 0; i < count; i++) {
            const bool is_same = strcmp(words[i], words[count]) == 0;
            FRNG_ASSERT(!is_same || strlen(words[i]) <= KEPT, "%s", words[i]);
        }
    }
    return true;
}

TEST_AGAIN(count_words)
