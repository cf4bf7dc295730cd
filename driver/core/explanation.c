#include "explanation.h"

#include <stdlib.h>

void explanation_finish(explanation *e) {
    free(e->draws);
    free(e->records);
    *e = (explanation){0};
}
