// store.c: documents on disk.
#include "record/store.h"

#include "base/descriptor.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "record/run_json.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".json";

// ---- Folders ----

static char *home_folder(void)
{
    const char *home = getenv("HOME");
    if (home && home[0])
        return xstrdup(home);
    char buffer[4096];
    struct passwd entry, *found = NULL;
    if (getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) != 0 || !found || !found->pw_dir[0])
        return NULL;
    return xstrdup(found->pw_dir);
}

char *store_folder(const char *runs, struct error *error)
{
    if (runs && runs[0])
        return xstrdup(runs);
    if (runs) {
        fail(error, "--runs: an empty path is no folder");
        return NULL;
    }
    const char *state = getenv("XDG_STATE_HOME");
    if (state && state[0] == '/')
        return xformat("%s/diskduel/runs", state);
    char *home = home_folder();
    if (!home) {
        fail(error, "there is no home to keep runs in: HOME is not set; name a folder with --runs DIR");
        return NULL;
    }
    char *folder = xformat("%s/.local/state/diskduel/runs", home);
    free(home);
    return folder;
}

// Makes what is missing of a path, 0700 whatever the umask is: a folder that its owner can't enter is no use.
static bool make_folders(const char *folder, struct error *error)
{
    char *path = xstrdup(folder);
    bool made = true;
    for (char *end = path; made && end;) {
        end = strchr(end + 1, '/');
        if (end)
            *end = '\0';
        if (mkdir(path, 0700) == 0)
            made = fchmodat(AT_FDCWD, path, 0700, AT_SYMLINK_NOFOLLOW) == 0 || errno == EOPNOTSUPP;
        else
            made = errno == EEXIST;
        if (!made)
            fail(error, "can't make the folder %s: %s", path, strerror(errno));
        if (end)
            *end = '/';
    }
    free(path);
    return made;
}

static int open_folder(const char *folder)
{
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// ---- Reading ----

// Reads what a descriptor gives, to its end.
static bool read_all(int fd, const char *path, struct text *document, struct error *error)
{
    char buffer[1 << 16];
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got == 0)
            return true;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(error, "can't read %s: %s", path, strerror(errno));
        if (document->length + (size_t)got > RUN_DOCUMENT_MOST)
            return fail(error, "%s is longer than %zu MiB, the most that is read", path,
                        RUN_DOCUMENT_MOST >> 20);
        text_append(document, buffer, (size_t)got);
    }
}

// Opens a plain file, and nothing else: a FIFO would wait for ever.
static int open_plain(int folder, const char *name, int flags, const char *path, struct error *error)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    if (fd < 0) {
        fail(error, "can't open %s: %s", path, strerror(errno));
        return -1;
    }
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        return fd;
    fail(error, "%s is not a plain file", path);
    close(fd);
    return -1;
}

static bool read_plain(int folder, const char *name, int flags, const char *path, struct text *document,
                       struct error *error)
{
    int fd = open_plain(folder, name, flags, path, error);
    if (fd < 0)
        return false;
    bool read = read_all(fd, path, document, error);
    close(fd);
    return read;
}

// ---- A place for a document ----

// Whether the file begins as run_json_write begins.
static bool begins_as_run(int fd)
{
    static const char *const words[] = {"{", "\"format\"", ":", "\"diskduel-run\""};
    char beginning[256];
    ssize_t got = pread(fd, beginning, sizeof beginning - 1, 0);
    if (got <= 0)
        return false;
    beginning[got] = '\0';
    const char *at = beginning;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        at += strspn(at, " \t\r\n");
        if (strncmp(at, words[i], strlen(words[i])) != 0)
            return false;
        at += strlen(words[i]);
    }
    return true;
}

// In a folder as /tmp a rename onto another user's file is refused, and only at the end of the run.
static bool may_rename_onto(const struct store_place *place, const struct stat *file)
{
    struct stat folder;
    return fstat(place->folder, &folder) != 0 || !(folder.st_mode & S_ISVTX) || geteuid() == 0 ||
           file->st_uid == geteuid() || folder.st_uid == geteuid();
}

// Whether what stands at the name may be replaced: nothing, or an earlier document.
static bool check_replaceable(const struct store_place *place, struct error *error)
{
    struct stat status;
    if (fstatat(place->folder, place->name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || fail(error, "can't write %s: %s", place->path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(error, "can't write %s: it is a directory", place->path);
    if (!S_ISREG(status.st_mode))
        return fail(error, "can't write %s: it is not a plain file; -o - writes to standard output",
                    place->path);
    int fd = open_plain(place->folder, place->name, O_NOFOLLOW, place->path, error);
    if (fd < 0)
        return false;
    bool ours = begins_as_run(fd);
    close(fd);
    if (!ours)
        return fail(error, "%s exists and is not a run's document: it stays as it is", place->path);
    return may_rename_onto(place, &status) ||
           fail(error, "can't write %s: it is another user's, and only that one may replace it", place->path);
}

static const char temporary_prefix[] = ".diskduel-document-";

enum { TEMPORARY_SIZE = 40, TEMPORARY_DIGITS = 16, LEFTOVER_SECONDS = 600 };

static bool is_temporary_name(const char *name)
{
    size_t prefix = strlen(temporary_prefix);
    if (strncmp(name, temporary_prefix, prefix) != 0)
        return false;
    return strspn(name + prefix, "0123456789abcdef") == TEMPORARY_DIGITS &&
           name[prefix + TEMPORARY_DIGITS] == '\0';
}

// Whether a file is what a killed save leaves: ours, a document or the line that is tried first, and too old
// for a save that goes on.
static bool is_leftover(int folder, const char *name, time_t now)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat status;
    char first = '\n';
    bool leftover = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                    status.st_mtim.tv_sec < now - LEFTOVER_SECONDS &&
                    (status.st_size > 1 ? begins_as_run(fd) : pread(fd, &first, 1, 0) >= 0 && first == '\n');
    close(fd);
    return leftover;
}

// A kill in the middle of a save leaves a file that nothing would ever remove. That one can't be removed is
// no fault of this run. A file was just made and removed in the folder: by the disk's own clock, the folder
// changed now.
static void sweep(const struct store_place *place)
{
    struct stat status;
    if (fstat(place->folder, &status) != 0)
        return;
    int again = openat(place->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again < 0 ? NULL : fdopendir(again);
    if (!folder && again >= 0)
        close(again);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_temporary_name(entry->d_name) &&
            is_leftover(place->folder, entry->d_name, status.st_mtim.tv_sec))
            (void)unlinkat(place->folder, entry->d_name, 0);
    if (folder)
        closedir(folder);
}

static int create_temporary(const struct store_place *place, char name[TEMPORARY_SIZE])
{
    memcpy(name, temporary_prefix, sizeof temporary_prefix);
    random_hex(name + strlen(temporary_prefix), TEMPORARY_DIGITS);
    return openat(place->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

// Some file systems can't sync a folder, or anything, and say so: then nothing more can be done.
static bool sync_to_disk(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

// Puts the bytes on the disk under a name of their own; where that fails, nothing is left.
static bool write_temporary(const struct store_place *place, const char *bytes, size_t length,
                            char name[TEMPORARY_SIZE])
{
    int fd = create_temporary(place, name);
    if (fd < 0)
        return false;
    (void)fchmod(fd, place->mode); // a file system without modes may refuse
    int number = descriptor_write(fd, bytes, length) && sync_to_disk(fd) ? 0 : errno;
    if (close(fd) != 0 && number == 0)
        number = errno;
    if (number == 0)
        return true;
    unlinkat(place->folder, name, 0); // what failed first is what is reported
    errno = number;
    return false;
}

static bool fail_write(const struct store_place *place, struct error *error)
{
    return fail(error, "can't write %s: %s", place->path, strerror(errno));
}

// Finds out now, rather than after an hour of measuring, that a document can't be written.
static bool try_write(const struct store_place *place)
{
    char temporary[TEMPORARY_SIZE];
    return write_temporary(place, "\n", 1, temporary) && unlinkat(place->folder, temporary, 0) == 0;
}

// What the umask makes of a file of the user's; only the umask itself tells.
static mode_t output_mode(void)
{
    mode_t mask = umask(077);
    umask(mask);
    return (0666 & ~mask) | 0600;
}

// Splits FILE into its folder and its name.
static bool place_output(struct store_place *place, const char *output, struct error *error)
{
    const char *slash = strrchr(output, '/');
    const char *name = slash ? slash + 1 : output;
    if (output[0] == '\0')
        return fail(error, "-o: an empty path is no file");
    if (name[0] == '\0' || !strcmp(name, ".") || !strcmp(name, ".."))
        return fail(error, "can't write %s: it is a directory", output);
    char *folder = !slash ? xstrdup(".") : xstrndup(output, slash == output ? 1 : (size_t)(slash - output));
    place->folder = open_folder(folder);
    if (place->folder < 0)
        fail(error, "can't write %s: the folder %s: %s", output, folder, strerror(errno));
    free(folder);
    place->name = xstrdup(name);
    place->path = xstrdup(output);
    place->mode = output_mode();
    return place->folder >= 0;
}

static bool place_among_runs(struct store_place *place, const char *runs, const char *run_id,
                             struct error *error)
{
    char *folder = store_folder(runs, error);
    if (!folder)
        return false;
    place->mode = 0600;
    place->name = xformat("%s%s", run_id, suffix);
    place->path = xformat("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", place->name);
    if (make_folders(folder, error)) {
        place->folder = open_folder(folder);
        if (place->folder < 0)
            fail(error, "can't keep runs in %s: %s", folder, strerror(errno));
    }
    free(folder);
    return place->folder >= 0;
}

bool store_open(struct store_place *place, const char *runs, const char *output, const char *run_id,
                struct error *error)
{
    *place = (struct store_place){.folder = -1};
    bool placed = output ? place_output(place, output, error) : place_among_runs(place, runs, run_id, error);
    placed = placed && check_replaceable(place, error);
    if (placed && !try_write(place))
        placed = fail_write(place, error);
    if (placed)
        sweep(place);
    else
        store_close(place);
    return placed;
}

bool store_save(const struct store_place *place, const struct text *document, struct error *error)
{
    char temporary[TEMPORARY_SIZE];
    if (document->length > RUN_DOCUMENT_MOST)
        return fail(error, "can't write %s: it would be longer than %zu MiB, the most that is read",
                    place->path, RUN_DOCUMENT_MOST >> 20);
    if (!write_temporary(place, text_string(document), document->length, temporary))
        return fail_write(place, error);
    // Somebody may have put something of theirs there while the run went on.
    bool saved = check_replaceable(place, error);
    if (saved && renameat(place->folder, temporary, place->folder, place->name) != 0)
        saved = fail_write(place, error);
    if (!saved) {
        unlinkat(place->folder, temporary, 0); // what failed first is what is reported
        return false;
    }
    return sync_to_disk(place->folder) || fail_write(place, error);
}

void store_close(struct store_place *place)
{
    if (place->folder >= 0)
        close(place->folder);
    free(place->name);
    free(place->path);
    *place = (struct store_place){.folder = -1};
}

// ---- Finding a run by its id ----

// Whether a file's name is an id and ".json".
static bool is_run_file(const char *name)
{
    static const char form[] = "00000000T000000Z-xxxxxx";
    static const char digits[] = "0123456789abcdef";
    size_t i = 0;
    for (; form[i]; i++) {
        char c = name[i];
        bool fits = form[i] == '0'   ? c >= '0' && c <= '9'
                    : form[i] == 'x' ? c != '\0' && strchr(digits, c) != NULL
                                     : c == form[i];
        if (!fits)
            return false;
    }
    return !strcmp(name + i, suffix);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
    char **list; // ascending, so oldest first
    size_t length;
};

static void names_release(struct names *names)
{
    for (size_t i = 0; i < names->length; i++)
        free(names->list[i]);
    free(names->list);
}

// The run files in a folder whose ids begin so.
static bool list_runs(DIR *folder, const char *beginning, struct names *names)
{
    size_t length = strlen(beginning);
    *names = (struct names){0};
    errno = 0;
    for (struct dirent *entry; (entry = readdir(folder)); errno = 0) {
        if (!is_run_file(entry->d_name) || length > strlen(entry->d_name) - strlen(suffix) ||
            strncmp(entry->d_name, beginning, length) != 0)
            continue;
        names->list = xrealloc_array(names->list, names->length + 1, sizeof *names->list);
        names->list[names->length++] = xstrdup(entry->d_name);
    }
    if (errno != 0)
        return false;
    if (names->length > 0)
        qsort(names->list, names->length, sizeof *names->list, compare_names);
    return true;
}

static bool fail_ambiguous(const char *name, const struct names *names, struct error *error)
{
    enum { NAMED_MOST = 5 };
    struct text list = {0};
    for (size_t i = 0; i < names->length && i < NAMED_MOST; i++)
        text_printf(&list, "%s%.*s", i > 0 ? ", " : "", (int)(strlen(names->list[i]) - strlen(suffix)),
                    names->list[i]);
    if (names->length > NAMED_MOST)
        text_printf(&list, " and %zu more", names->length - NAMED_MOST);
    fail(error, "%zu runs begin with \"%s\": %s", names->length, name, text_string(&list));
    text_free(&list);
    return false;
}

static bool read_found(DIR *folder, const char *path, const char *name, struct text *document,
                       struct error *error)
{
    bool last = !strcmp(name, "last");
    struct names names;
    bool read = false;
    if (!list_runs(folder, last ? "" : name, &names)) {
        fail(error, "can't read the folder %s: %s", path, strerror(errno));
    } else if (names.length == 0 && last) {
        fail(error, "there are no runs in %s yet", path);
    } else if (names.length == 0) {
        fail(error, "no run in %s begins with \"%s\"; a path holds a '/' or ends in %s", path, name, suffix);
    } else if (names.length > 1 && !last) {
        fail_ambiguous(name, &names, error);
    } else {
        const char *found = names.list[names.length - 1];
        char *found_path = xformat("%s/%s", path, found);
        read = read_plain(dirfd(folder), found, O_NOFOLLOW, found_path, document, error);
        free(found_path);
    }
    names_release(&names);
    return read;
}

static bool read_among_runs(const char *runs, const char *name, struct text *document, struct error *error)
{
    if (name[0] == '\0')
        return fail(error, "an empty name is no run");
    char *path = store_folder(runs, error);
    if (!path)
        return false;
    int fd = open_folder(path);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    bool read = false;
    if (folder)
        read = read_found(folder, path, name, document, error);
    else if (errno == ENOENT)
        fail(error, "there are no runs in %s yet", path);
    else
        fail(error, "can't read the folder %s: %s", path, strerror(errno));
    if (folder)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    free(path);
    return read;
}

static bool is_path(const char *name)
{
    size_t length = strlen(name), end = strlen(suffix);
    return strchr(name, '/') || (length >= end && !strcmp(name + length - end, suffix));
}

bool store_read(const char *runs, const char *name, struct text *document, struct error *error)
{
    *document = (struct text){0};
    bool read = !strcmp(name, "-") ? read_all(STDIN_FILENO, "standard input", document, error)
                : is_path(name)    ? read_plain(AT_FDCWD, name, 0, name, document, error)
                                   : read_among_runs(runs, name, document, error);
    if (!read)
        text_free(document);
    return read;
}
