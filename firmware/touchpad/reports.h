// What the board says, one frame at a time, the most urgent first.
#pragma once
#include "build_id.h"
#include "selftest.h"

enum Report : uint8_t {
  IDENT = 0x81, HIT, WAVE_REPORT, PONG, STAT, CFGACK, TESTED, LIT_REPORT, SYNCED
};
static const uint8_t PROTOCOL = 1;
static const uint8_t VERSION[3] = {1, 0, 0};
static const coarse_t IDENT_EVERY = 500 * COARSE_PER_MS;
static const coarse_t STAT_EVERY = 488 * COARSE_PER_MS;  // 500 ms
static const coarse_t STAT_APART = 50 * COARSE_PER_MS;
// Longer than it takes to encode a PONG and to empty the UART, so that t_tx can be told ahead.
static const uint32_t PONG_AHEAD = 300;

static uint32_t session;
static bool ident_wanted, pong_wanted, cfgack_wanted;
static coarse_t ident_at, stat_at;
static uint32_t troubles_told;
static uint16_t pong_id;
static uint32_t pong_received;
static uint8_t cfgack_pad, cfgack_field, cfgack_ok;

static uint8_t board_state() {
  return armed ? 1 : brought_up && (faults & LOOP_SLOW) ? 2 : 0;
}

static uint8_t faults_now() {
  const bool off = supply_mv != 0 && (supply_mv < 4500 || supply_mv > 5500);
  return off ? faults | SUPPLY_OFF : faults & ~SUPPLY_OFF;
}

static void report_ident() {
  start_frame(IDENT);
  put8(PROTOCOL);
  for (uint8_t n = 0; n < 3; n++) put8(VERSION[n]);
  put32(BUILD_ID);
  put_bytes(kept.uid, sizeof(kept.uid));
  put32(kept.boot);
  put32(session);
  put8(reset_cause);
  put8(used_pads());
  put32(TICK_HZ);
  put32(kept.settings_crc);
  put16(acked_seq);
  put16(next_seq);
  put8(faults_now());
  put8(board_state());
}

static void report_hit(uint16_t seq) {
  const Hit &hit = hit_of(seq);
  start_frame(HIT);
  put16(seq);
  put8(hit.pad);
  put8(hit.flags);
  put32(hit.t);
  put16(hit.width);
  put16(peak_of(hit));
  put16(hit.baseline);
  put_bytes(hit.peaks, PADS);
}

static void report_wave() {
  const uint32_t each = (wave.last - wave.first) / WAVE_AFTER;
  start_frame(WAVE_REPORT);
  put16(wave.seq);
  put8(wave_pad);
  put32(wave.last - 31 * each);
  put32(wave.last);
  put8(32 - WAVE_AFTER);
  for (uint8_t n = 0; n < 32; n++) put8(wave.samples[(wave.at + n) & 31]);
  wave.after = 0;
}

static void report_pong() {
  start_frame(PONG);
  const uint32_t leaves = ticks() + PONG_AHEAD;
  put16(pong_id);
  put32(pong_received);
  put32(leaves);
  put8(0);
  send_not_before(leaves);
}

static void put_counters() {
  put16(next_seq);
  put16(acked_seq);
  put16(dropped);
  put16(runts);
  put16(bounces);
  put16(storms);
  put16(bad_frames);
  put16(overruns);
  put16(longest_loop_us);
}

static void report_stat(uint32_t now) {
  start_frame(STAT);
  put32(now);
  put32(kept.boot);
  put_counters();
  out_open = true;
}

// The longest frame is put together in two passes, to keep each short.
static void finish_stat() {
  put8(levels() & used_pads());
  put8(stuck);
  put8(storming);
  put8(wiring);
  put8(deaf);
  put8(faults_now());
  put8(board_state());
  for (uint8_t pad = 0; pad < PADS; pad++) put16(is_analog(pad) ? resting(pad) : 0);
  put_bytes(noise, PADS);
  put16(supply_mv);
  put16(temperature_dc);
  longest_loop_us = 0;
  memset(noise, 0, sizeof(noise));
  supply_readings = 8;
  out_open = false;
}

static void report_cfgack() {
  start_frame(CFGACK);
  put8(cfgack_pad);
  put8(cfgack_field);
  put16(field_value(cfgack_pad, cfgack_field));
  put8(cfgack_ok);
  put32(kept.settings_crc);
}

static void report_tested() {
  start_frame(TESTED);
  put8(tested_kind);
  put8(tested_pad);
  for (uint8_t n = 0; n < 4; n++) put16(test_refused ? REFUSED : test_values[n]);
}

static void report_synced() {
  start_frame(SYNCED);
  put32(synced_at);
  put16(synced_count);
  put8(synced_mine);
}

static void report_lit() {
  start_frame(LIT_REPORT);
  put32(lit_at);
  put16(lit_index);
  put8(lamp_on);
}

static bool stat_is_due(uint32_t now) {
  const uint32_t troubles = ((uint32_t)stuck << 24) | ((uint32_t)storming << 16) |
                            ((uint16_t)wiring << 8) | deaf;
  const coarse_t since = coarse(now) - stat_at;
  const bool due = since >= STAT_EVERY || (troubles != troubles_told && since >= STAT_APART);
  if (due) {
    stat_at = coarse(now);
    troubles_told = troubles;
  }
  return due;
}

static bool ident_is_due(uint32_t now) {
  const bool due = ident_wanted || (!armed && (coarse_t)(coarse(now) - ident_at) >= IDENT_EVERY);
  if (due) ident_at = coarse(now);
  return due;
}

// True once for each time that something was wanted.
static inline bool claim(bool &wanted) {
  const bool was = wanted;
  wanted = false;
  return was;
}

static void choose_frame(uint32_t now) {
  if (out_open) finish_stat();
  if (!line_is_free()) return;
  if (claim(pong_wanted)) report_pong();
  else if (ident_is_due(now)) {
    ident_wanted = false;
    report_ident();
  }
  else if (settings_are_summed() && claim(cfgack_wanted)) report_cfgack();
  else if (claim(tested_wanted)) report_tested();
  else if (claim(synced_wanted)) report_synced();
  else if (claim(lit_wanted)) report_lit();
  else if (stat_is_due(now)) report_stat(now);
  else if (hit_to_send(now)) report_hit(next_to_send(now));
  else if (wave.after == WAVE_READY) report_wave();
}
