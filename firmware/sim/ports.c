/* Simulated pad boards in real time, each behind a port that any program can open.
 *
 *   padsim HEX BOARDS PATH PPM WANDER CORRUPTION BOOT_MS FRONT LINKS
 *
 * Says `port N DEVICE` for each board, then `ready`. Orders are lines on standard input, times in
 * nanoseconds of CLOCK_MONOTONIC (0: now); the end of the input ends the program:
 *
 *   touch BOARD PAD FROM TO     answers `touched BOARD PAD FROM`, the time it really begins at
 *   knock BOARD PAD T PEAK_MV RING_HZ DECAY_MS
 *   chatter BOARD PAD FROM TO EVERY_US
 *   cut BOARD PAD 0|1           the cable of a pad
 *   outage BOARD FROM TO        bytes are lost both ways
 *   corrupt BOARD CHANCE
 *   reset BOARD    unplug BOARD    plug BOARD    hang BOARD MS
 *
 * Time of the world follows the clock: no byte from a program reaches a board before it was
 * written, none from a board is readable before its time. Not simavr's uart_pty: that polls at
 * 500 us in another thread.
 */
#define _GNU_SOURCE
#include "padsim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PACE_NS 200000
#define MS 1000000LL
#define LINE 256
/* Ports that are not open are looked at once in so many rounds: a byte for nobody is dropped. */
#define AT_ONCE 4096

struct port {
	int master;  /* -1: unplugged */
	int is_open; /* a program has it open */
	int watch;   /* inotify: tells of each opening, however short the port was closed */
	int openings;
	char device[128];
};

static struct world *world;
static struct port ports[PADSIM_BOARDS];
static int boards;
static const char *links;

static int64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void say(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* A link keeps its name when the cable is plugged in again, as /dev/serial/by-id does. */
static void link_port(int number)
{
	char name[PATH_MAX];
	if (strcmp(links, "-") == 0) return;
	snprintf(name, sizeof(name), "%s/pads%d", links, number);
	unlink(name);
	if (symlink(ports[number].device, name) == 0)
		snprintf(ports[number].device, sizeof(ports[number].device), "%.127s", name);
}

static void plug(int number)
{
	struct port *port = &ports[number];
	struct termios raw;
	int slave;
	if (port->master >= 0) return;
	if (openpty(&port->master, &slave, port->device, NULL, NULL) != 0) {
		say("error no pseudo terminal: %s", strerror(errno));
		exit(2);
	}
	tcgetattr(slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	close(slave);
	fcntl(port->master, F_SETFL, O_NONBLOCK);
	port->is_open = port->openings = 0;
	port->watch = inotify_init1(IN_NONBLOCK);
	inotify_add_watch(port->watch, port->device, IN_OPEN | IN_CLOSE);
	link_port(number);
	say("port %d %s", number, port->device);
}

static void unplug(int number)
{
	if (ports[number].master < 0) return;
	close(ports[number].master);
	close(ports[number].watch);
	ports[number].master = -1;
}

static int64_t or_now(int64_t t_ns) { return t_ns > 0 ? t_ns : now_ns(); }

static void chatter(int board, int pad, int64_t from, int64_t to, int64_t every_us)
{
	int64_t half = (every_us < 10 ? 10 : every_us) * 500;
	for (int64_t t = or_now(from); t < to; t += 2 * half) {
		board_level(world, board, pad, t, 1);
		board_level(world, board, pad, t + half, 0);
	}
}

static int is_pad(int board, int pad) { return board >= 0 && board < boards && pad >= 0 && pad < PADSIM_PADS; }

static int obey_pad(const char *line)
{
	int board, pad;
	int64_t from, to, every;
	double peak, hz, decay;
	if (sscanf(line, "touch %d %d %" SCNd64 " %" SCNd64, &board, &pad, &from, &to) == 4 && is_pad(board, pad)) {
		int64_t began = board_level(world, board, pad, or_now(from), 1);
		board_level(world, board, pad, to > began ? to : began + 50 * MS, 0);
		say("touched %d %d %" PRId64, board, pad, began);
	} else if (sscanf(line, "knock %d %d %" SCNd64 " %lf %lf %lf", &board, &pad, &from, &peak, &hz, &decay) == 6 &&
		is_pad(board, pad)) {
		say("touched %d %d %" PRId64, board, pad, board_knock(world, board, pad, or_now(from), peak, hz, decay));
	} else if (sscanf(line, "chatter %d %d %" SCNd64 " %" SCNd64 " %" SCNd64, &board, &pad, &from, &to, &every) == 5 &&
		is_pad(board, pad)) {
		chatter(board, pad, from, to, every);
	} else if (sscanf(line, "cut %d %d %" SCNd64, &board, &pad, &to) == 3 && is_pad(board, pad)) {
		board_cut(world, board, pad, to != 0);
	} else {
		return 0;
	}
	return 1;
}

static int obey_board(const char *line)
{
	int board, ms;
	int64_t from, to;
	double share;
	if (sscanf(line, "outage %d %" SCNd64 " %" SCNd64, &board, &from, &to) == 3 && is_pad(board, 0))
		board_outage(world, board, or_now(from), to);
	else if (sscanf(line, "corrupt %d %lf", &board, &share) == 2 && is_pad(board, 0))
		board_corruption(world, board, share);
	else if (sscanf(line, "reset %d", &board) == 1 && is_pad(board, 0)) board_reset(world, board);
	else if (sscanf(line, "unplug %d", &board) == 1 && is_pad(board, 0)) unplug(board);
	else if (sscanf(line, "plug %d", &board) == 1 && is_pad(board, 0)) plug(board);
	else if (sscanf(line, "hang %d %d", &board, &ms) == 2 && is_pad(board, 0)) board_hang(world, board, ms * MS);
	else return 0;
	return 1;
}

/* Whole lines of the input; 0 at its end. */
static int take_orders(void)
{
	static char held[LINE * 64];
	static size_t count;
	ssize_t got = read(0, held + count, sizeof(held) - count - 1);
	if (got == 0) return 0;
	if (got < 0) return errno == EAGAIN || errno == EINTR;
	count += got;
	held[count] = 0;
	char *line = held, *end;
	while ((end = strchr(line, '\n')) != NULL) {
		*end = 0;
		if (*line && !obey_pad(line) && !obey_board(line)) say("error no such order: %.60s", line);
		line = end + 1;
	}
	count -= line - held;
	memmove(held, line, count);
	if (count > LINE) count = 0; /* no line of ours is that long */
	return 1;
}

/* Opening an Uno's port resets it (DTR); so does it here, but not for a second program. */
static void see_opened(int number)
{
	struct port *port = &ports[number];
	char told[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t got = read(port->watch, told, sizeof(told));
	for (ssize_t at = 0; at < got;) {
		const struct inotify_event *event = (const struct inotify_event *)(told + at);
		at += sizeof(*event) + event->len;
		if (event->mask & IN_OPEN && port->openings++ == 0) board_reset(world, number);
		if (event->mask & IN_CLOSE && port->openings > 0) port->openings--;
	}
	port->is_open = port->openings > 0;
}

static void take_bytes(int number, int events)
{
	struct port *port = &ports[number];
	uint8_t bytes[AT_ONCE];
	if (port->master < 0) return;
	see_opened(number);
	if (!(events & POLLIN)) return;
	ssize_t got = read(port->master, bytes, sizeof(bytes));
	if (got > 0) board_write(world, number, now_ns(), bytes, (int)got);
}

static void give_bytes(int number)
{
	static struct byte_out out[AT_ONCE];
	uint8_t bytes[AT_ONCE];
	struct port *port = &ports[number];
	int count = board_read(world, number, out, AT_ONCE);
	if (count == 0 || port->master < 0 || !port->is_open) return;
	for (int n = 0; n < count; n++) bytes[n] = out[n].byte;
	if (write(port->master, bytes, count) < 0 && errno != EAGAIN) port->is_open = 0;
}

static void run(void)
{
	struct pollfd wait[PADSIM_BOARDS + 1];
	const struct timespec pace = {0, PACE_NS};
	for (;;) {
		wait[0] = (struct pollfd){0, POLLIN, 0};
		for (int n = 0; n < boards; n++) wait[n + 1] = (struct pollfd){ports[n].master, POLLIN, 0};
		/* A port that nobody has open is always "hung up": do not wait on it. */
		for (int n = 0; n < boards; n++)
			if (!ports[n].is_open) wait[n + 1].fd = -1;
		ppoll(wait, boards + 1, &pace, NULL);
		for (int n = 0; n < boards; n++) {
			struct pollfd look = {ports[n].master, POLLIN, 0};
			if (ports[n].master >= 0) poll(&look, 1, 0);
			take_bytes(n, look.revents);
		}
		if (wait[0].revents && !take_orders()) return;
		world_run(world, now_ns());
		for (int n = 0; n < boards; n++) give_bytes(n);
	}
}

static int is_number(const char *text)
{
	char *end;
	strtod(text, &end);
	return *text && *end == 0;
}

int main(int argc, char **argv)
{
	if (argc != 10) {
		fprintf(stderr, "usage: padsim HEX BOARDS PATH PPM WANDER CORRUPTION BOOT_MS FRONT LINKS\n");
		return 2;
	}
	for (int n = 2; n < 9; n++)
		if (!is_number(argv[n])) {
			fprintf(stderr, "padsim: %s is no number\n", argv[n]);
			return 2;
		}
	int count = atoi(argv[2]), front = atoi(argv[8]);
	links = argv[9];
	world = world_new((uint64_t)now_ns(), now_ns());
	for (int n = 0; n < count; n++) {
		/* Boards differ: the second is as slow as the first is fast. */
		struct board_settings settings = {
			.ppm = atof(argv[4]) * (n % 2 ? -1 : 1), .wander_ppm_s = atof(argv[5]),
			.corruption = atof(argv[6]), .boot_ns = (int64_t)(atof(argv[7]) * MS), .path = atoi(argv[3]),
			.uid = {'s', 'i', 'm', 'u', 'l', 'p', 'a', (uint8_t)('0' + n)}};
		if (world_add_board(world, argv[1], &settings) < 0) {
			fprintf(stderr, "padsim: %s cannot be simulated\n", argv[1]);
			return 2;
		}
		for (int pad = 0; pad < PADSIM_PADS; pad++) board_front(world, n, pad, front);
		world_join_sync(world, n);
		boards++;
		ports[n].master = -1;
		plug(n);
	}
	fcntl(0, F_SETFL, O_NONBLOCK);
	say("ready");
	run();
	world_free(world);
	return 0;
}
