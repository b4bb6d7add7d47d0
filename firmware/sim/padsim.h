/* Pad boards in simulation: the compiled firmware in simavr, with crystals, USB paths and faults.
 *
 * Times are nanoseconds of the world (int64). In real time they are CLOCK_MONOTONIC. A board's
 * crystal is off by ppm and wanders; everything that happens at a pad is given in world time, so
 * what the host makes of the board's stamps can be compared with the truth.
 */
#ifndef PADSIM_H
#define PADSIM_H

#include <stdint.h>

#define PADSIM_PADS 6
#define PADSIM_BOARDS 8

/* How bytes travel between UART and host program. */
enum path { PATH_RAW, PATH_16U2, PATH_FTDI16, PATH_FTDI1, PATH_CDC, PATHS };

/* What is soldered to a pad's analog input. */
enum front { FRONT_NONE, FRONT_PIEZO, FRONT_FSR, FRONT_SWITCH };

struct board_settings {
	double ppm;          /* crystal error */
	double wander_ppm_s; /* how fast it changes; it ramps up and down within 100 ppm */
	double corruption;   /* chance for each byte, each way, to be flipped, lost or joined by one */
	int64_t boot_ns;     /* time in the boot loader after a reset */
	int32_t path;        /* enum path */
	uint8_t uid[8];      /* name in the EEPROM; all FF: none */
};

struct byte_out {
	int64_t t_ns; /* when the host program can read it */
	uint8_t byte;
};

struct counts {
	uint64_t cycles;
	uint64_t bytes_in, bytes_out, corrupted;
	uint64_t overruns; /* bytes that the UART lost because the firmware did not fetch them */
	uint64_t resets;
	uint32_t stack_lowest; /* lowest stack pointer seen */
	uint32_t crashed;
};

struct world;

struct world *world_new(uint64_t seed, int64_t start_ns);
void world_free(struct world *world);
/* Returns the board's number, or -1: the .hex cannot be read or there are too many boards. */
int world_add_board(struct world *world, const char *hex, const struct board_settings *settings);
void world_join_sync(struct world *world, int board);
void world_run(struct world *world, int64_t until_ns);
int64_t world_now(const struct world *world);

/* Pads: levels are 1 = touched. A time in the past counts as now; the time that it happened at
 * is returned. */
int64_t board_level(struct world *world, int board, int pad, int64_t t_ns, int touched);
void board_front(struct world *world, int board, int pad, int front);
void board_cut(struct world *world, int board, int pad, int cut);
/* The comparator is dead; the analog input is not. */
void board_deafen(struct world *world, int board, int pad, int deaf);
/* A knock: the analog input rings, and the comparator, if there is one, follows it. */
int64_t board_knock(struct world *world, int board, int pad, int64_t t_ns, double peak_mv,
	double ring_hz, double decay_ms);

/* The line. */
void board_write(struct world *world, int board, int64_t t_ns, const uint8_t *bytes, int count);
int board_read(struct world *world, int board, struct byte_out *bytes, int most);
void board_corruption(struct world *world, int board, double chance);
void board_outage(struct world *world, int board, int64_t from_ns, int64_t to_ns);
void board_reset(struct world *world, int board);
/* The firmware is caught in an endless loop for so long. */
void board_hang(struct world *world, int board, int64_t for_ns);
void board_counts(struct world *world, int board, struct counts *counts);
double board_ticks_at(struct world *world, int board, int64_t t_ns);
uint32_t board_lamp(struct world *world, int board);

#endif
