/* The world of simulated boards: crystal, pads, UART, USB path; see padsim.h.
 *
 * simavr 1.6 (Debian 12) is used for the core, timers, ADC, ports, EEPROM and watchdog. Its UART
 * is replaced: it counts a parity bit, sleeps when polled, loses UDRE and has a FIFO of 64 bytes
 * where the chip has two and a shift register. What else is put right is marked "simavr:".
 */
#include "padsim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#define F_CPU 16e6
#define CYCLES_A_BYTE 640  /* 250 000 baud, 10 bits */
#define BYTE_NS 40000
#define MS 1000000LL
#define UDR0 0xC6
#define UCSR0A 0xC0
#define OCR2A 0xB3
#define SPL 0x5D
#define SPH 0x5E
#define PCINT2_VECTOR 5
#define WDT_VECTOR 6
#define IRQ_ENTRY_CYCLES 4
#define WANDER_MOST_PPM 100.0
#define SEGMENT_NS (10 * MS)
#define QUANTUM_NS (100 * 1000LL)
#define LINE_BYTES 8192
#define RINGS 4

struct edge {
	int64_t t_ns;
	uint64_t order; /* of the same time, as they were given */
	int8_t pad, comparator, level;
};

struct edges {
	struct edge *heap;
	int count, room;
	uint64_t given;
};

struct line { /* bytes with the time of each, a ring */
	struct byte_out *bytes;
	int first, count;
};

struct ring {
	int64_t t_ns;
	double peak_mv, ring_hz, decay_ms;
};

struct pad {
	int front, cut, deaf;
	int touched, tripped; /* by a hand; by the comparator */
	int pin_low;
	double excess_mv; /* what a test pulse left on the line */
	struct ring rings[RINGS];
	int next_ring;
};

struct board {
	struct world *world;
	struct board_settings settings;
	avr_t *avr;
	uint8_t *flash_image;
	/* crystal: cycle = seg_cycle + (t - seg_ns) * rate */
	int64_t now_ns, seg_ns, seg_end_ns;
	double seg_cycle, rate, drift_ppm, drift_way;
	int64_t runs_from_ns; /* in the boot loader before */
	/* UART */
	struct line to_pad;   /* t_ns = end of the byte's stop bit at the board */
	uint8_t fifo[2], shift, fifo_count, shift_full, doomed, overrun;
	int64_t to_pad_free_ns;
	double tx_free_cycle, tx_start_cycle;
	/* path to the host */
	struct line waiting; /* left the UART, in the adapter */
	struct line to_host; /* t_ns = readable by the program */
	int64_t flush_ns, slot_phase_ns, flush_every_ns, host_last_ns;
	int64_t outage_from_ns, outage_to_ns;
	/* pads */
	struct pad pads[PADSIM_PADS];
	struct edges edges;
	avr_irq_t *pin_irq[PADSIM_PADS], *adc_irq[PADSIM_PADS], *sync_irq, *temperature_irq, *bandgap_irq;
	double reference_mv;
	int64_t analog_ns;
	int joined, pulls;
	/* faults */
	avr_flashaddr_t hang_pc;
	uint16_t hang_word;
	int64_t hang_to_ns;
	struct counts counts;
};

struct world {
	uint64_t seed;
	int64_t now_ns;
	int boards, sync_first;
	struct board *board[PADSIM_BOARDS];
};

/* ---- chance: xorshift64*, so that a seed gives the same run everywhere ---- */

static double chance(struct world *world)
{
	uint64_t x = world->seed;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	world->seed = x;
	return (double)((x * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

/* ---- lines of bytes ---- */

static void line_push(struct line *line, int64_t t_ns, uint8_t byte)
{
	if (line->count == LINE_BYTES) return; /* the reader is gone */
	int place = (line->first + line->count++) % LINE_BYTES;
	line->bytes[place] = (struct byte_out){t_ns, byte};
}

static struct byte_out *line_first(struct line *line)
{
	return line->count ? &line->bytes[line->first] : NULL;
}

static struct byte_out line_pop(struct line *line)
{
	struct byte_out byte = line->bytes[line->first];
	line->first = (line->first + 1) % LINE_BYTES;
	line->count--;
	return byte;
}

/* ---- edges: a heap by time ---- */

static int sooner(const struct edge *a, const struct edge *b)
{
	return a->t_ns < b->t_ns || (a->t_ns == b->t_ns && a->order < b->order);
}

static void edge_push(struct edges *edges, int64_t t_ns, int pad, int comparator, int level)
{
	if (edges->count == edges->room) {
		edges->room = edges->room ? edges->room * 2 : 256;
		edges->heap = realloc(edges->heap, sizeof(struct edge) * edges->room);
	}
	struct edge edge = {t_ns, edges->given++, pad, comparator, level};
	int place = edges->count++;
	while (place && sooner(&edge, &edges->heap[(place - 1) / 2])) {
		edges->heap[place] = edges->heap[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	edges->heap[place] = edge;
}

static struct edge edge_pop(struct edges *edges)
{
	struct edge top = edges->heap[0], last = edges->heap[--edges->count];
	int place = 0;
	for (;;) {
		int child = 2 * place + 1;
		if (child >= edges->count) break;
		if (child + 1 < edges->count && sooner(&edges->heap[child + 1], &edges->heap[child])) child++;
		if (!sooner(&edges->heap[child], &last)) break;
		edges->heap[place] = edges->heap[child];
		place = child;
	}
	edges->heap[place] = last;
	return top;
}

/* ---- crystal ---- */

static double cycle_at(const struct board *board, int64_t t_ns)
{
	return board->seg_cycle + (double)(t_ns - board->seg_ns) * board->rate;
}

static int64_t ns_of_cycle(const struct board *board, double cycle)
{
	return board->seg_ns + (int64_t)llround((cycle - board->seg_cycle) / board->rate);
}

static int64_t ns_now(const struct board *board)
{
	return ns_of_cycle(board, (double)board->avr->cycle);
}

static void begin_segment(struct board *board, int64_t t_ns)
{
	board->seg_cycle = cycle_at(board, t_ns);
	board->seg_ns = t_ns;
	board->seg_end_ns = t_ns + SEGMENT_NS;
	double step = board->settings.wander_ppm_s * SEGMENT_NS / 1e9;
	if (fabs(board->drift_ppm + board->drift_way * step) > WANDER_MOST_PPM) board->drift_way = -board->drift_way;
	board->drift_ppm += board->drift_way * step;
	board->rate = F_CPU * 1e-9 * (1 + (board->settings.ppm + board->drift_ppm) * 1e-6);
}

/* ---- pads ---- */

static void set_pin(struct board *board, int pad)
{
	struct pad *it = &board->pads[pad];
	int low = it->touched || it->tripped;
	if (low == it->pin_low) return;
	it->pin_low = low;
	avr_raise_irq(board->pin_irq[pad], !low);
}

/* Resting levels with the parts of WIRING.md, in mV; what a cut cable shows. */
static double resting_mv(const struct pad *pad)
{
	static const double at_rest[] = {0, 880, 455, 3837};
	static const double when_cut[] = {0, 5000, 0, 5000};
	return pad->cut ? when_cut[pad->front] : at_rest[pad->front];
}

static double ringing_mv(const struct pad *pad, int64_t t_ns)
{
	double sum = 0;
	for (int n = 0; n < RINGS; n++) {
		const struct ring *ring = &pad->rings[n];
		double ms = (double)(t_ns - ring->t_ns) / 1e6;
		if (ring->peak_mv == 0 || ms < 0 || ms > 12 * ring->decay_ms) continue;
		sum += ring->peak_mv * exp(-ms / ring->decay_ms) * sin(2 * M_PI * ring->ring_hz * ms / 1e3);
	}
	return sum;
}

static double line_mv(const struct pad *pad, int64_t t_ns)
{
	if (pad->front == FRONT_SWITCH && pad->touched && !pad->cut) return 0;
	double mv = resting_mv(pad) + pad->excess_mv + (pad->cut ? 0 : ringing_mv(pad, t_ns));
	return mv < 0 ? 0 : mv > 5000 ? 5000 : mv; /* the clamp */
}

static int has_comparator(const struct pad *pad)
{
	return !pad->deaf && (pad->front == FRONT_PIEZO || pad->front == FRONT_FSR);
}

static void compare(struct board *board, int pad, int64_t t_ns)
{
	struct pad *it = &board->pads[pad];
	double mv = line_mv(it, t_ns);
	if (mv > board->reference_mv) it->tripped = 1;
	else if (mv < board->reference_mv - 20) it->tripped = 0;
	set_pin(board, pad);
}

/* Test pulses (the firmware drives the analog pin through 10 kohm) and the reference's filter
 * (10 kohm, 2.2 uF), in steps of a quantum. */
static void analog_step(struct board *board, int64_t t_ns)
{
	double ms = (double)(t_ns - board->analog_ns) / 1e6;
	board->analog_ns = t_ns;
	double target = board->avr->data[OCR2A] * 5000.0 / 255;
	int settling = fabs(target - board->reference_mv) > 1;
	board->reference_mv += (target - board->reference_mv) * (1 - exp(-ms / 22));
	avr_ioport_state_t port = {0};
	avr_ioctl(board->avr, AVR_IOCTL_IOPORT_GETSTATE('C'), &port);
	for (int pad = 0; pad < PADSIM_PADS; pad++) {
		struct pad *it = &board->pads[pad];
		if (!has_comparator(it)) continue;
		int driven = (port.ddr >> pad) & (port.port >> pad) & 1;
		/* piezo: 15 nF, or only the pin's own few pF without it; FSR: a divider, no charge */
		double top = it->front == FRONT_FSR ? 2500 - resting_mv(it) : 5000 - resting_mv(it);
		double to = driven ? top : 0;
		double decay = it->front == FRONT_PIEZO && !it->cut ? (driven ? 0.15 : 5.8) : 0.02;
		int live = driven || it->excess_mv > 1 || settling || it->cut;
		it->excess_mv += (to - it->excess_mv) * (1 - exp(-ms / decay));
		if (live) compare(board, pad, t_ns);
	}
}

static void on_adc(avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq;
	struct board *board = param;
	union { avr_adc_mux_t mux; uint32_t word; } what = {.word = value};
	int source = what.mux.src;
	if (what.mux.kind == ADC_MUX_TEMP) avr_raise_irq(board->temperature_irq, 337);
	if (what.mux.kind != ADC_MUX_SINGLE || source >= PADSIM_PADS) return;
	double mv = line_mv(&board->pads[source], ns_now(board));
	avr_raise_irq(board->adc_irq[source], (uint32_t)mv);
}

static void apply(struct board *board, const struct edge *edge)
{
	struct pad *pad = &board->pads[edge->pad];
	if (edge->comparator) pad->tripped = edge->level;
	else pad->touched = edge->level;
	set_pin(board, edge->pad);
}

/* ---- UART ---- */

/* Bytes that have arrived by now go into the FIFO, then the shift register; while that is full,
 * the byte that begins is lost. */
static void receive(struct board *board)
{
	int64_t now_ns = ns_now(board);
	struct byte_out *next;
	while ((next = line_first(&board->to_pad)) != NULL) {
		if (!board->doomed && next->t_ns - BYTE_NS <= now_ns && board->shift_full) board->doomed = 1;
		if (next->t_ns > now_ns) return;
		uint8_t byte = line_pop(&board->to_pad).byte;
		if (board->doomed) {
			board->counts.overruns++;
			board->overrun = 1;
		} else if (board->fifo_count < 2) {
			board->fifo[board->fifo_count++] = byte;
		} else {
			board->shift = byte;
			board->shift_full = 1;
		}
		board->doomed = 0;
	}
}

static uint8_t on_status_read(avr_t *avr, avr_io_addr_t addr, void *param)
{
	struct board *board = param;
	receive(board);
	uint8_t status = avr->data[addr] & 0x03; /* U2X, MPCM */
	if (board->fifo_count) status |= 0x80;
	if (board->fifo_count && board->overrun) status |= 0x08;
	if ((double)avr->cycle >= board->tx_start_cycle) status |= 0x20;
	if ((double)avr->cycle >= board->tx_free_cycle) status |= 0x40;
	return avr->data[addr] = status;
}

static void on_status_write(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	(void)param;
	avr->data[addr] = value & 0x03;
}

static uint8_t on_data_read(avr_t *avr, avr_io_addr_t addr, void *param)
{
	struct board *board = param;
	receive(board);
	uint8_t byte = board->fifo[0];
	board->overrun = 0;
	if (board->fifo_count) {
		board->fifo[0] = board->fifo[1];
		board->fifo_count--;
	}
	if (board->shift_full) {
		board->fifo[board->fifo_count++] = board->shift;
		board->shift_full = 0;
	}
	return avr->data[addr] = byte;
}

static void on_data_write(avr_t *avr, avr_io_addr_t addr, uint8_t byte, void *param)
{
	struct board *board = param;
	avr->data[addr] = byte;
	double now = (double)avr->cycle;
	board->tx_start_cycle = now > board->tx_free_cycle ? now : board->tx_free_cycle;
	board->tx_free_cycle = board->tx_start_cycle + CYCLES_A_BYTE;
	board->counts.bytes_out++;
	line_push(&board->waiting, ns_of_cycle(board, board->tx_free_cycle), byte);
}

/* ---- USB paths ---- */

static int is_out(const struct board *board, int64_t t_ns)
{
	return t_ns >= board->outage_from_ns && t_ns < board->outage_to_ns;
}

/* What noise makes of a byte: 0, 1 or 2 bytes. */
static int spoil(struct board *board, uint8_t byte, uint8_t made[2])
{
	struct world *world = board->world;
	made[0] = byte;
	if (board->settings.corruption == 0 || chance(world) >= board->settings.corruption) return 1;
	board->counts.corrupted++;
	double kind = chance(world);
	if (kind < 1 / 3.0) return 0;
	if (kind < 2 / 3.0) {
		made[0] ^= 1 << (int)(chance(world) * 8);
		return 1;
	}
	made[1] = (uint8_t)(chance(world) * 256);
	return 2;
}

/* The next start of a USB frame: one each millisecond. */
static int64_t slot_after(const struct board *board, int64_t t_ns)
{
	int64_t since = t_ns - board->slot_phase_ns;
	return board->slot_phase_ns + (since / MS + 1) * MS;
}

/* From the slot to the program: 50 to 150 us, and one in a hundred waits about 2 ms more. */
static int64_t host_time(struct board *board, int64_t slot_ns)
{
	struct world *world = board->world;
	double late_us = 50 + 100 * chance(world);
	if (chance(world) < 0.01) late_us += -2000 * log(1 - chance(world));
	int64_t t_ns = slot_ns + (int64_t)(late_us * 1000);
	if (t_ns < board->host_last_ns) t_ns = board->host_last_ns;
	return board->host_last_ns = t_ns;
}

static void deliver(struct board *board, int64_t until_ns, int64_t slot_ns, int most)
{
	int64_t t_ns = 0;
	struct byte_out *next;
	while (most-- && (next = line_first(&board->waiting)) != NULL && next->t_ns <= until_ns) {
		struct byte_out byte = line_pop(&board->waiting);
		if (is_out(board, byte.t_ns)) continue;
		if (t_ns == 0) t_ns = host_time(board, slot_ns);
		uint8_t made[2];
		int count = spoil(board, byte.byte, made);
		for (int n = 0; n < count; n++) line_push(&board->to_host, t_ns, made[n]);
	}
}

static int waiting_by(const struct board *board, int64_t t_ns)
{
	int count = 0;
	while (count < board->waiting.count &&
		board->waiting.bytes[(board->waiting.first + count) % LINE_BYTES].t_ns <= t_ns)
		count++;
	return count;
}

static void path_raw(struct board *board, int64_t t_ns)
{
	struct byte_out *next;
	while ((next = line_first(&board->waiting)) != NULL && next->t_ns <= t_ns)
		deliver(board, next->t_ns, next->t_ns, 1);
}

/* Adapters that look at each USB frame: CDC sends what there is; an FTDI when 62 bytes wait or
 * its latency timer has run out; a 16U2 when 97 wait or its free timer of 4.096 ms has struck. */
static void path_slots(struct board *board, int64_t t_ns)
{
	int path = board->settings.path;
	int full = path == PATH_CDC ? 1 : path == PATH_16U2 ? 97 : 62;
	for (int64_t slot = slot_after(board, board->now_ns); slot <= t_ns; slot += MS) {
		int struck = 0;
		while (board->flush_ns <= slot) {
			struck = 1;
			board->flush_ns += board->flush_every_ns;
		}
		if (!struck && waiting_by(board, slot) < full) continue;
		int64_t by = path == PATH_16U2 && struck ? board->flush_ns - board->flush_every_ns : slot;
		deliver(board, by, slot, 1024);
		if (path == PATH_FTDI16 || path == PATH_FTDI1) board->flush_ns = slot + board->flush_every_ns;
	}
}

static void path_step(struct board *board, int64_t t_ns)
{
	if (board->settings.path == PATH_RAW) path_raw(board, t_ns);
	else path_slots(board, t_ns);
}

/* ---- sync wire: pulled low by any board on it ---- */

static void sync_wire(struct world *world, struct board *by)
{
	int low = 0;
	for (int n = 0; n < world->boards; n++) low |= world->board[n]->joined && world->board[n]->pulls;
	for (int n = 0; n < world->boards; n++) {
		struct board *board = world->board[n];
		if (!board->joined) continue;
		if (board == by) avr_raise_irq(board->sync_irq, !low);
		else if (board->now_ns <= ns_now(by)) edge_push(&board->edges, ns_now(by), -1, 0, !low);
	}
}

static void on_sync_direction(avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq;
	struct board *board = param;
	int pulls = value & 1;
	if (pulls == board->pulls) return;
	board->pulls = pulls;
	if (!board->joined) {
		avr_raise_irq(board->sync_irq, !pulls);
		return;
	}
	if (pulls) /* it runs ahead of the others from now on, so that they get its edges in time */
		for (int n = 0; n < board->world->boards; n++)
			if (board->world->board[n] == board) board->world->sync_first = n;
	sync_wire(board->world, board);
}

/* ---- a board's life ---- */

/* simavr: an interrupt takes no time there; the chip needs 4 cycles. */
static void on_interrupt(avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq;
	struct board *board = param;
	if (value) board->avr->cycle += IRQ_ENTRY_CYCLES;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list args)
{
	(void)avr;
	if (level != LOG_ERROR) return;
	vfprintf(stderr, format, args);
}

static void hook_core(struct board *board)
{
	avr_t *avr = board->avr;
	avr_irq_register_notify(avr_get_interrupt_irq(avr, PCINT2_VECTOR) + AVR_INT_IRQ_RUNNING, on_interrupt, board);
	avr_irq_register_notify(avr_get_interrupt_irq(avr, WDT_VECTOR) + AVR_INT_IRQ_RUNNING, on_interrupt, board);
	/* Straight into the table: avr_register_io_write() refuses addresses that have an owner. */
	avr->io[AVR_DATA_TO_IO(UDR0)].r.c = on_data_read;
	avr->io[AVR_DATA_TO_IO(UDR0)].r.param = board;
	avr->io[AVR_DATA_TO_IO(UDR0)].w.c = on_data_write;
	avr->io[AVR_DATA_TO_IO(UDR0)].w.param = board;
	avr->io[AVR_DATA_TO_IO(UCSR0A)].r.c = on_status_read;
	avr->io[AVR_DATA_TO_IO(UCSR0A)].r.param = board;
	avr->io[AVR_DATA_TO_IO(UCSR0A)].w.c = on_status_write;
	avr->io[AVR_DATA_TO_IO(UCSR0A)].w.param = board;
	for (int pad = 0; pad < PADSIM_PADS; pad++) {
		board->pin_irq[pad] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pad + 2);
		board->adc_irq[pad] = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + pad);
	}
	board->temperature_irq = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_TEMP);
	board->sync_irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_adc, board);
	avr_irq_register_notify(
		avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), IOPORT_IRQ_DIRECTION_ALL), on_sync_direction, board);
}

static void set_levels(struct board *board)
{
	/* simavr: a reset clears the ports, and a level that an irq already has is not passed on. */
	for (int pad = 0; pad < PADSIM_PADS; pad++) {
		avr_raise_irq(board->pin_irq[pad], board->pads[pad].pin_low);
		avr_raise_irq(board->pin_irq[pad], !board->pads[pad].pin_low);
	}
	avr_raise_irq(board->sync_irq, 0);
	avr_raise_irq(board->sync_irq, 1);
	/* simavr: INT0 and INT1 poll their low level at every cycle, used or not. */
	avr_extint_set_strict_lvl_trig(board->avr, 0, 0);
	avr_extint_set_strict_lvl_trig(board->avr, 1, 0);
	board->avr->run_cycle_limit = 1000; /* simavr: 1 after a reset */
}

static void start(struct board *board, uint8_t cause)
{
	avr_t *avr = board->avr;
	avr_reset(avr);
	avr->data[0x54] = cause; /* MCUSR */
	set_levels(board);
	board->fifo_count = board->shift_full = board->doomed = board->overrun = 0;
	board->tx_free_cycle = board->tx_start_cycle = 0;
	board->pulls = 0;
	board->to_pad.count = board->waiting.count = 0;
	board->runs_from_ns = board->now_ns + board->settings.boot_ns;
	board->hang_to_ns = 0;
	board->counts.resets++;
}

static int load(struct board *board, const char *hex)
{
	uint32_t size = 0, base = 0;
	uint8_t *code = read_ihex_file(hex, &size, &base);
	if (!code) return 0;
	avr_loadcode(board->avr, code, size, base);
	board->avr->codeend = base + size;
	free(code);
	return 1;
}

static void name(struct board *board)
{
	/* As `Kept` begins in touchpad/settings.h: magic, uid. The rest is blank: a board that was
	 * named and has its first settings. */
	uint8_t ee[10] = {0x54, 0x50};
	memcpy(ee + 2, board->settings.uid, 8);
	avr_eeprom_desc_t desc = {.ee = ee, .offset = 0, .size = sizeof(ee)};
	for (int n = 0; n < 8; n++)
		if (board->settings.uid[n] != 0xFF) {
			avr_ioctl(board->avr, AVR_IOCTL_EEPROM_SET, &desc);
			return;
		}
}

struct world *world_new(uint64_t seed, int64_t start_ns)
{
	struct world *world = calloc(1, sizeof(*world));
	world->seed = seed * 2654435769ULL + 88172645463325252ULL;
	world->now_ns = start_ns;
	return world;
}

static struct line new_line(void)
{
	return (struct line){calloc(LINE_BYTES, sizeof(struct byte_out)), 0, 0};
}

static void begin_path(struct board *board)
{
	static const int64_t every_ns[] = {MS, 4096123, 16 * MS, MS, MS}; /* its own crystal, +30 ppm */
	board->flush_every_ns = every_ns[board->settings.path];
	board->slot_phase_ns = board->now_ns - (int64_t)(chance(board->world) * MS);
	board->flush_ns = board->now_ns + (int64_t)(chance(board->world) * board->flush_every_ns);
}

int world_add_board(struct world *world, const char *hex, const struct board_settings *settings)
{
	if (world->boards == PADSIM_BOARDS) return -1;
	if (settings->path < 0 || settings->path >= PATHS) return -1;
	avr_global_logger_set(quiet);
	struct board *board = calloc(1, sizeof(*board));
	board->world = world;
	board->settings = *settings;
	board->to_pad = new_line();
	board->waiting = new_line();
	board->to_host = new_line();
	board->avr = avr_make_mcu_by_name("atmega328p");
	avr_init(board->avr);
	board->avr->frequency = (uint32_t)F_CPU;
	board->avr->vcc = board->avr->avcc = board->avr->aref = 5000;
	board->avr->log = LOG_ERROR;
	if (!load(board, hex)) return -1;
	board->now_ns = board->seg_ns = board->analog_ns = world->now_ns;
	board->seg_cycle = (double)board->avr->cycle;
	board->drift_way = 1;
	board->rate = F_CPU * 1e-9;
	begin_segment(board, world->now_ns);
	begin_path(board);
	hook_core(board);
	name(board);
	board->counts.stack_lowest = 0x8FF;
	start(board, 1);
	world->board[world->boards] = board;
	return world->boards++;
}

void world_free(struct world *world)
{
	for (int n = 0; n < world->boards; n++) {
		struct board *board = world->board[n];
		avr_terminate(board->avr);
		free(board->to_pad.bytes);
		free(board->waiting.bytes);
		free(board->to_host.bytes);
		free(board->edges.heap);
		free(board);
	}
	free(world);
}

static avr_cycle_count_t stop(avr_t *avr, avr_cycle_count_t when, void *param)
{
	(void)avr;
	(void)when;
	(void)param;
	return 0;
}

static void run_to_cycle(struct board *board, double cycle)
{
	avr_t *avr = board->avr;
	avr_cycle_count_t target = (avr_cycle_count_t)ceil(cycle);
	if (avr->cycle >= target) return;
	avr_cycle_timer_register(avr, target - avr->cycle, stop, board);
	while (avr->cycle < target && avr->state != cpu_Done && avr->state != cpu_Crashed) avr_run(avr);
	uint32_t stack = avr->data[SPL] | avr->data[SPH] << 8;
	if (stack > 0x100 && stack < board->counts.stack_lowest) board->counts.stack_lowest = stack;
	if (avr->state == cpu_Crashed) board->counts.crashed = 1;
}

static void end_hang(struct board *board)
{
	if (!board->hang_to_ns || board->now_ns < board->hang_to_ns) return;
	memcpy(board->avr->flash + board->hang_pc, &board->hang_word, 2);
	board->hang_to_ns = 0;
}

/* One piece of world time, within a segment, up to the next edge. */
static void run_piece(struct board *board, int64_t t_ns)
{
	if (t_ns > board->runs_from_ns) {
		if (board->now_ns < board->runs_from_ns) /* out of the boot loader: cycles passed there */
			board->avr->cycle = (avr_cycle_count_t)cycle_at(board, board->runs_from_ns);
		run_to_cycle(board, cycle_at(board, t_ns));
	}
	path_step(board, t_ns);
	board->now_ns = t_ns;
}

static void run_board(struct board *board, int64_t t_ns)
{
	while (board->now_ns < t_ns) {
		int64_t to_ns = t_ns;
		if (board->now_ns >= board->seg_end_ns) begin_segment(board, board->now_ns);
		if (board->seg_end_ns < to_ns) to_ns = board->seg_end_ns;
		int edge = board->edges.count && board->edges.heap[0].t_ns <= to_ns;
		if (edge) to_ns = board->edges.heap[0].t_ns;
		if (to_ns > board->now_ns) run_piece(board, to_ns);
		if (edge) {
			struct edge it = edge_pop(&board->edges);
			if (it.pad < 0) avr_raise_irq(board->sync_irq, it.level);
			else apply(board, &it);
		}
	}
	analog_step(board, t_ns);
	end_hang(board);
}

void world_run(struct world *world, int64_t until_ns)
{
	while (world->now_ns < until_ns) {
		int64_t t_ns = world->now_ns + QUANTUM_NS;
		if (t_ns > until_ns) t_ns = until_ns;
		for (int n = 0; n < world->boards; n++)
			run_board(world->board[(world->sync_first + n) % world->boards], t_ns);
		world->now_ns = t_ns;
	}
}

int64_t world_now(const struct world *world) { return world->now_ns; }

void world_join_sync(struct world *world, int board) { world->board[board]->joined = 1; }

/* ---- what happens to a board ---- */

static int64_t not_before(const struct board *board, int64_t t_ns)
{
	return t_ns < board->now_ns ? board->now_ns : t_ns;
}

int64_t board_level(struct world *world, int number, int pad, int64_t t_ns, int touched)
{
	struct board *board = world->board[number];
	t_ns = not_before(board, t_ns);
	edge_push(&board->edges, t_ns, pad, 0, touched);
	return t_ns;
}

void board_front(struct world *world, int number, int pad, int front)
{
	world->board[number]->pads[pad].front = front;
}

void board_cut(struct world *world, int number, int pad, int cut)
{
	struct board *board = world->board[number];
	struct pad *it = &board->pads[pad];
	it->cut = cut;
	if (has_comparator(it)) compare(board, pad, board->now_ns);
}

void board_deafen(struct world *world, int number, int pad, int deaf)
{
	world->board[number]->pads[pad].deaf = deaf;
}

/* The comparator's edges are found ahead, in steps of 2 us; the first is exact to 10 ns. */
int64_t board_knock(struct world *world, int number, int pad, int64_t t_ns, double peak_mv,
	double ring_hz, double decay_ms)
{
	struct board *board = world->board[number];
	struct pad *it = &board->pads[pad];
	t_ns = not_before(board, t_ns);
	it->rings[it->next_ring] = (struct ring){t_ns, peak_mv, ring_hz, decay_ms};
	it->next_ring = (it->next_ring + 1) % RINGS;
	if (!has_comparator(it) || it->cut) return t_ns;
	int64_t first_ns = 0, step_ns = 10;
	int tripped = 0;
	for (int64_t at = t_ns; at < t_ns + (int64_t)(8 * decay_ms * 1e6); at += step_ns) {
		double mv = line_mv(it, at);
		int now = mv > board->reference_mv ? 1 : mv < board->reference_mv - 20 ? 0 : tripped;
		if (now == tripped) continue;
		tripped = now;
		edge_push(&board->edges, at, pad, 1, now);
		if (!first_ns) first_ns = at;
		step_ns = 2000;
	}
	if (tripped) edge_push(&board->edges, t_ns + (int64_t)(8 * decay_ms * 1e6), pad, 1, 0);
	return first_ns ? first_ns : t_ns;
}

/* Bytes leave the adapter one after the other, from the next USB frame on. */
void board_write(struct world *world, int number, int64_t t_ns, const uint8_t *bytes, int count)
{
	struct board *board = world->board[number];
	t_ns = not_before(board, t_ns);
	int64_t at = board->settings.path == PATH_RAW ? t_ns : slot_after(board, t_ns) + 30000;
	if (board->to_pad_free_ns > at) at = board->to_pad_free_ns;
	for (int n = 0; n < count; n++) {
		uint8_t made[2];
		if (is_out(board, t_ns)) return;
		int many = spoil(board, bytes[n], made);
		board->counts.bytes_in += many;
		for (int k = 0; k < many; k++) {
			at += BYTE_NS;
			line_push(&board->to_pad, at, made[k]);
		}
	}
	board->to_pad_free_ns = at;
}

int board_read(struct world *world, int number, struct byte_out *bytes, int most)
{
	struct board *board = world->board[number];
	int count = 0;
	struct byte_out *next;
	while (count < most && (next = line_first(&board->to_host)) != NULL && next->t_ns <= world->now_ns)
		bytes[count++] = line_pop(&board->to_host);
	return count;
}

void board_corruption(struct world *world, int number, double share)
{
	world->board[number]->settings.corruption = share;
}

void board_outage(struct world *world, int number, int64_t from_ns, int64_t to_ns)
{
	world->board[number]->outage_from_ns = from_ns;
	world->board[number]->outage_to_ns = to_ns;
}

void board_reset(struct world *world, int number) { start(world->board[number], 2); }

void board_hang(struct world *world, int number, int64_t for_ns)
{
	struct board *board = world->board[number];
	static const uint16_t here = 0xCFFF; /* rjmp .-2 */
	board->hang_pc = board->avr->pc;
	memcpy(&board->hang_word, board->avr->flash + board->hang_pc, 2);
	memcpy(board->avr->flash + board->hang_pc, &here, 2);
	board->hang_to_ns = board->now_ns + for_ns;
}

void board_counts(struct world *world, int number, struct counts *counts)
{
	struct board *board = world->board[number];
	*counts = board->counts;
	counts->cycles = board->avr->cycle;
}

double board_ticks_at(struct world *world, int number, int64_t t_ns)
{
	return cycle_at(world->board[number], t_ns) / 8;
}

uint32_t board_lamp(struct world *world, int number)
{
	avr_ioport_state_t port = {0};
	avr_ioctl(world->board[number]->avr, AVR_IOCTL_IOPORT_GETSTATE('B'), &port);
	return (port.port >> 5) & 1;
}
