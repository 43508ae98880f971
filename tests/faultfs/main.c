// faultfs: a disk that behaves as it is told: a folder passed through FUSE, with latencies, limits and
// faults.
#include "base/error.h"
#include "base/xalloc.h"
#include "control.h"
#include "disk.h"
#include "operations.h"

#include <fuse_lowlevel.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    THREADS_MOST = 128, // a call that waits holds one
    FILES_MOST = 1 << 20,
    LOOK_MS = 50 // how soon an unmounted disk ends its server
};

struct server {
    struct disk disk;
    struct fuse_session *session;
    char *backing, *mountpoint, *control;
    int listener, signals; // the listener is -1 without a control
};

static void help(void)
{
    puts(
        "usage: faultfs [-f] [--control SOCKET] [-o NAME=VALUE,...] BACKING MOUNTPOINT\n"
        "       faultfs --ask SOCKET LINE...\n"
        "\n"
        "Mounts the folder BACKING at MOUNTPOINT, as a disk that behaves as it is told. It returns when\n"
        "the disk is mounted, and serves it in the background (-f: in the foreground) until it is\n"
        "unmounted. What -o sets, lines sent to the SOCKET change meanwhile: NAME=VALUE, or one of these:\n");
    control_print();
    puts("\nKnobs");
    knobs_print();
    puts("\nFaults: NAME=KIND:ARGUMENT[:WHEN[:NAMES]]. WHEN is 3 (the third such call from now; 1 where it\n"
         "is left out) or 3+ (from the third on); NAMES is a pattern of files' names.");
    faults_print();
    puts("\nKINDs: one of these calls, or a group of them");
    kinds_print();
    puts("\nTIME is 500ns, 250us, 8ms, 2s; SIZE is 4096, 4KiB, 64MiB, 64MB. What is written reaches BACKING\n"
         "at once: the write buffer is one of time only. The kernel remembers ENOSYS until the disk is\n"
         "unmounted, and asks again for what failed while it was read ahead: fail=read:EIO:1+ reaches the\n"
         "program, or any with direct_io=on.");
}

static void connected(void *userdata, struct fuse_conn_info *connection)
{
    struct disk *disk = userdata;
    if (disk_knobs(disk).sync_reads)
        connection->want &= ~(unsigned)FUSE_CAP_ASYNC_READ;
    if (disk->ready_fd < 0)
        return;
    // From here on in the background: nobody shall wait for the end of our output.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; nothing >= 0 && fd <= 2; fd++)
        dup2(nothing, fd);
    if (nothing >= 0)
        close(nothing);
    (void)!write(disk->ready_fd, "", 1); // where the parent has gone, nobody waits
    close(disk->ready_fd);
}

static void *serve_calls(void *argument)
{
    struct fuse_session *session = argument;
    struct fuse_loop_config *config = fuse_loop_cfg_create();
    fuse_loop_cfg_set_max_threads(config, THREADS_MOST);
    fuse_session_loop_mt(session, config);
    fuse_session_exit(session);
    fuse_loop_cfg_destroy(config);
    return NULL;
}

// Answers the control until the disk is unmounted.
static void serve_control(struct server *server)
{
    struct pollfd waiting[2] = {{.fd = server->signals, .events = POLLIN},
                                {.fd = server->listener, .events = POLLIN}};
    while (!fuse_session_exited(server->session)) {
        if (poll(waiting, 2, LOOK_MS) <= 0)
            continue;
        if (waiting[1].revents)
            control_answer(&server->disk, server->listener);
        struct signalfd_siginfo signal;
        if (!waiting[0].revents || read(server->signals, &signal, sizeof signal) < 0)
            continue;
        // Whoever still uses the disk may go on; the session ends with the last of them.
        faults_end(&server->disk.faults);
        umount2(server->mountpoint, MNT_DETACH);
    }
    faults_end(&server->disk.faults);
}

static bool open_session(struct server *server, struct error *error)
{
    char options[128];
    snprintf(options, sizeof options, "-ofsname=faultfs-%d,subtype=faultfs,allow_other,default_permissions",
             (int)getpid());
    char name[] = "faultfs";
    char *arguments[] = {name, options, NULL};
    struct fuse_args fuse_arguments = FUSE_ARGS_INIT(2, arguments);
    struct fuse_lowlevel_ops operations = {.init = connected};
    operations_of_names(&operations);
    operations_of_attributes(&operations);
    operations_of_files(&operations);
    operations_of_folders(&operations);
    server->session = fuse_session_new(&fuse_arguments, &operations, sizeof operations, &server->disk);
    fuse_opt_free_args(&fuse_arguments);
    if (!server->session)
        return fail(error, "no FUSE session");
    if (fuse_session_mount(server->session, server->mountpoint) == 0)
        return true;
    fuse_session_destroy(server->session);
    return fail(error, "%s can't be mounted at %s", server->backing, server->mountpoint);
}

static bool serve_mounted(struct server *server, struct error *error)
{
    if (!open_session(server, error))
        return false;
    pthread_t calls;
    int failure = pthread_create(&calls, NULL, serve_calls, server->session);
    if (failure == 0) {
        serve_control(server);
        pthread_join(calls, NULL);
    }
    fuse_session_unmount(server->session);
    fuse_session_destroy(server->session);
    return failure == 0 || fail(error, "no thread: %s", strerror(failure));
}

static bool serve(struct server *server, struct error *error)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, NULL);
    signal(SIGPIPE, SIG_IGN);
    server->signals = signalfd(-1, &ending, SFD_CLOEXEC);
    if (server->signals < 0)
        return fail(error, "no descriptor for signals: %s", strerror(errno));
    server->listener = server->control ? control_listen(server->control, error) : -1;
    if (server->control && server->listener < 0)
        return false;
    bool done = serve_mounted(server, error);
    if (server->listener >= 0) {
        close(server->listener);
        unlink(server->control);
    }
    close(server->signals);
    return done;
}

// The kernel asks with the file's own mode and for as many files as there are; sleeps shall be as short as
// asked.
static void settle_in(void)
{
    struct rlimit files = {FILES_MOST, FILES_MOST};
    umask(0);
    prctl(PR_SET_TIMERSLACK, 1UL);
    if (setrlimit(RLIMIT_NOFILE, &files) == 0 || getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

// True in the child, which goes on; the parent ends here, when the disk is mounted or the child has given up.
static bool go_to_background(struct disk *disk, struct error *error)
{
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0)
        return fail(error, "no pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        return fail(error, "no process: %s", strerror(errno));
    if (child > 0) {
        char byte;
        close(ready[1]);
        _exit(read(ready[0], &byte, 1) == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ready[0]);
    disk->ready_fd = ready[1];
    setsid();
    return chdir("/") == 0 || fail(error, "/: %s", strerror(errno));
}

static char *absolute_of(const char *path)
{
    char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0);
    char *absolute = folder ? xformat("%s/%s", folder, path) : xstrdup(path);
    free(folder);
    return absolute;
}

static bool run(struct server *server, bool foreground, struct error *error)
{
    settle_in();
    return (foreground || go_to_background(&server->disk, error)) && serve(server, error);
}

// The disk's knobs and faults, from "NAME=VALUE,...".
static bool set_all(struct disk *disk, char *options, struct error *error)
{
    for (char *one; (one = strsep(&options, ","));)
        if (*one != '\0' && !control_set(disk, one, false, error))
            return false;
    return true;
}

static char *find_folder(const char *path, struct error *error)
{
    char *found = realpath(path, NULL);
    struct stat status;
    if (found && stat(found, &status) == 0 && S_ISDIR(status.st_mode))
        return found;
    fail(error, "%s: %s", path, found ? "not a folder" : strerror(errno));
    free(found);
    return NULL;
}

static bool find_folders(struct server *server, const char *backing, const char *mountpoint,
                         struct error *error)
{
    server->backing = find_folder(backing, error);
    server->mountpoint = server->backing ? find_folder(mountpoint, error) : NULL;
    if (!server->mountpoint)
        return false;
    int fd = open(server->backing, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail(error, "%s: %s", server->backing, strerror(errno));
    disk_open(&server->disk, &knobs_default, fd);
    return true;
}

static int usage_error(void)
{
    fputs("faultfs: see faultfs --help\n", stderr);
    return EXIT_USAGE;
}

static int failed(int status, const struct error *error)
{
    fprintf(stderr, "faultfs: %s\n", error->text);
    return status;
}

int main(int argc, char *argv[])
{
    static const struct option options[] = {{"control", required_argument, NULL, 'c'},
                                            {"ask", required_argument, NULL, 'a'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct error error = {0};
    bool foreground = false;
    const char *control = NULL, *ask = NULL;
    struct text set = {0};
    for (int option; (option = getopt_long(argc, argv, "+fo:h", options, NULL)) != -1;) {
        switch (option) {
        case 'f':
            foreground = true;
            break;
        case 'o':
            text_printf(&set, "%s,", optarg);
            break;
        case 'c':
            control = optarg;
            break;
        case 'a':
            ask = optarg;
            break;
        case 'h':
            help();
            return EXIT_SUCCESS;
        default:
            return usage_error();
        }
    }
    argc -= optind;
    argv += optind;
    if (ask)
        return argc > 0 && !control_ask(ask, argv, argc, &error) ? failed(EXIT_FAILURE, &error)
                                                                 : EXIT_SUCCESS;
    if (argc != 2)
        return usage_error();

    static struct server server; // large: not for the stack
    if (!find_folders(&server, argv[0], argv[1], &error))
        return failed(EXIT_USAGE, &error);
    server.control = control ? absolute_of(control) : NULL;
    bool understood = set_all(&server.disk, set.bytes, &error);
    text_free(&set);
    int status = EXIT_SUCCESS;
    if (!understood)
        status = failed(EXIT_USAGE, &error);
    else if (!run(&server, foreground, &error))
        status = failed(EXIT_FAILURE, &error);
    disk_close(&server.disk);
    free(server.backing);
    free(server.mountpoint);
    free(server.control);
    return status;
}
