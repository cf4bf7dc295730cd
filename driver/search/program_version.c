#include "program_version.h"

bool program_version_update(program_version *v, const file_stamp *ran) {
    const bool is_news = file_stamp_is_known(ran) && !file_stamp_equal(ran, &v->now) &&
                         !file_stamp_equal(ran, &v->before);
    if (!is_news) return false;
    v->before = v->now;
    v->now = *ran;
    if (!file_stamp_is_known(&v->before)) return false; /* it is the first file */
    v->is_replaced = true;
    return true;
}

bool program_version_is_outdated(const program_version *v, const file_stamp *failed) {
    return file_stamp_is_known(failed) && file_stamp_is_known(&v->now) &&
           !file_stamp_equal(failed, &v->now);
}
