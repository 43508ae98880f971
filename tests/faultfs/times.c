#include "times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
enum { UNIT_COUNT = sizeof units / sizeof *units, DIGITS_MOST = 9 };

bool time_parse(const char *text, uint64_t *ns, struct error *error)
{
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    if (digits > 0 && digits <= DIGITS_MOST) {
        uint64_t number = strtoull(text, NULL, 10);
        for (int i = 0; i < UNIT_COUNT; i++) {
            if (strcmp(units[i].name, unit) != 0 && (number > 0 || *unit != '\0'))
                continue;
            *ns = number * units[i].ns;
            return true;
        }
    }
    return fail(error, "'%s' is not a time: write 0, 500ns, 250us, 8ms or 2s", text);
}

void time_put(struct text *text, uint64_t ns)
{
    int i = 0;
    while (ns % units[i].ns != 0)
        i++;
    text_printf(text, "%" PRIu64 "%s", ns / units[i].ns, ns > 0 ? units[i].name : "");
}
