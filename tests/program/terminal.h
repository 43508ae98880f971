// terminal.h: a terminal without a screen (forkpty and libvterm), and the program in it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct terminal;

// Starts argv[0] in a terminal of that size. `environment` holds "NAME=value" and "NAME" (unset), NULL at the
// end.
struct terminal *terminal_start(char *const argv[], const char *const environment[], int width, int height);
void terminal_end(struct terminal *terminal); // kills what still runs there

pid_t terminal_program(const struct terminal *terminal); // the process that was started
void terminal_resize(struct terminal *terminal, int width, int height);
void terminal_type(struct terminal *terminal, const char *keys);

// Takes what the program writes until the text stands on the screen (false: it didn't in `seconds`).
bool terminal_shows(struct terminal *terminal, const char *text, int seconds);

// Takes what it writes until nothing has come for `milliseconds`.
void terminal_settle(struct terminal *terminal, int milliseconds);

// The window is closed: the program's side sees a hangup.
void terminal_hang_up(struct terminal *terminal);

// Takes what it writes until it ends; its wait status. -1 where it didn't end in `seconds`.
int terminal_wait(struct terminal *terminal, int seconds);

const char *terminal_text(struct terminal *terminal); // what stands on the screen, line by line
const char *terminal_bytes(const struct terminal *terminal, size_t *length); // all that was ever written
bool terminal_on_alternate_screen(const struct terminal *terminal);
bool terminal_cursor_visible(const struct terminal *terminal);

// The modes as they are now, and as they were before the program began.
void terminal_modes(const struct terminal *terminal, struct termios *now, struct termios *before);
