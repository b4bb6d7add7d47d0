// The ring of hits, kept until the host has them; numbers, acknowledgement, sending again.
#pragma once
#include "settings.h"

enum Flag { TIE = 1, SHADOW = 2, SAT = 4, STORM = 8, RUNT = 16, TEST_FLAG = 32, WEAK = 64, HELD = 128 };

// 15 bytes; the struck pad's own peak has its two low bits apart.
struct Hit {
  uint32_t t;
  uint16_t width;
  uint16_t baseline : 10, pad : 3, peak_low : 2;
  uint8_t flags;
  uint8_t peaks[PADS];
};
static const uint8_t RING = 64;
static Hit ring[RING];

// Numbers, each at or after the one before: acknowledged below, to be sent next, complete below
// (scan window over), next to be given.
static uint16_t acked_seq, send_seq, closed_seq, next_seq;
static uint32_t progress_at;  // last progress of the acknowledgement, or first hit after none
static uint16_t dropped;
static const uint32_t RESEND = 50 * TICKS_PER_MS;

static inline Hit &hit_of(uint16_t seq) { return ring[seq & (RING - 1)]; }

static void empty_ring() { acked_seq = send_seq = closed_seq = next_seq = 0; }

static void open_hit(uint8_t pad, uint32_t t, uint8_t flags, uint16_t baseline) {
  if ((uint16_t)(next_seq - acked_seq) == RING) {
    count_up(dropped);
    return;
  }
  Hit &hit = hit_of(next_seq++);
  memset(&hit, 0, sizeof(hit));
  hit.t = t;
  hit.pad = pad;
  hit.flags = flags;
  hit.baseline = baseline;
  hit.peaks[pad] = baseline / 4;
  hit.peak_low = baseline & 3;
}

static inline uint16_t peak_of(const Hit &hit) { return hit.peaks[hit.pad] * 4 + hit.peak_low; }

// A reading of a pad belongs to all hits whose scan window is open.
static void add_peak(uint8_t pad, uint16_t value) {
  for (uint16_t seq = closed_seq; seq != next_seq; seq++) {
    Hit &hit = hit_of(seq);
    if (value / 4 < hit.peaks[pad]) continue;
    if (hit.pad == pad && value > peak_of(hit)) hit.peak_low = value & 3;
    hit.peaks[pad] = value / 4;
  }
}

// Whether a hit should go out now; after 50 ms without progress all that wait go again.
static bool hit_to_send(uint32_t now) {
  if (send_seq != acked_seq && now - progress_at >= RESEND) {
    send_seq = acked_seq;
    progress_at = now;
  }
  return send_seq != closed_seq;
}

static uint16_t next_to_send(uint32_t now) {
  if (send_seq == acked_seq) progress_at = now;
  return send_seq++;
}

static void acknowledge(uint16_t next, uint32_t now) {
  const uint16_t count = next - acked_seq;
  if (count == 0 || count > (uint16_t)(closed_seq - acked_seq)) return;
  acked_seq = next;
  progress_at = now;
  if ((uint16_t)(closed_seq - send_seq) > (uint16_t)(closed_seq - acked_seq)) send_seq = acked_seq;
}

static void send_again_from(uint16_t from) {
  if ((uint16_t)(from - acked_seq) < (uint16_t)(send_seq - acked_seq)) send_seq = from;
}
