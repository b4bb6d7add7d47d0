// The LED on D13 and D9: a heartbeat for people, a pattern at known ticks for the camera.
#pragma once
#include "watch.h"

enum LampMode { DARK, LIT, HEARTBEAT, PATTERN, LAMP_MODES };
static uint8_t lamp_mode = HEARTBEAT;
static bool lamp_on;
static uint32_t lamp_due;       // tick at which the next bit begins
static uint8_t lamp_bit_ms;
static uint16_t lamp_register, lamp_index, lamp_count;
static bool lit_wanted;         // a LIT frame waits
static uint32_t lit_at;
static uint16_t lit_index;

static void set_lamp(bool on) {
  lamp_on = on;
  if (on) PORTB |= _BV(5) | _BV(1);
  else PORTB &= ~(_BV(5) | _BV(1));
}

static void begin_pattern(uint8_t bit_ms, uint16_t seed, uint16_t count, uint32_t now) {
  lamp_bit_ms = bit_ms ? bit_ms : 1;
  lamp_register = seed ? seed : 1;
  lamp_count = count;
  lamp_index = 0;
  set_lamp(!(lamp_register & 1));  // so that the first bit is a change
  lamp_due = now + TICKS_PER_MS;
}

static void set_lamp_mode(uint8_t mode, uint8_t bit_ms, uint16_t seed, uint16_t count, uint32_t now) {
  if (mode >= LAMP_MODES) return;
  lamp_mode = mode;
  if (mode == PATTERN) begin_pattern(bit_ms, seed, count, now);
  else set_lamp(mode == LIT);
}

static void next_bit() {
  const bool on = lamp_register & 1;
  if (on != lamp_on) {
    set_lamp(on);
    lit_at = ticks();
    lit_index = lamp_index;
    lit_wanted = true;
  }
  lamp_register = (lamp_register >> 1) ^ (on ? 0xB400 : 0);
  lamp_due += lamp_bit_ms * TICKS_PER_MS;
  if (++lamp_index == lamp_count) lamp_mode = HEARTBEAT;
}

// Idle: one short flash every two seconds. Armed: lit, with a short gap a second.
static void beat(uint32_t now) {
  const uint8_t phase = now >> 16;  // 33 ms
  const bool on = armed ? (phase & 31) > 1 : (phase & 63) < 2;
  if (on != lamp_on) set_lamp(on);
}

static void tend_lamp(uint32_t now) {
  if (lamp_mode == HEARTBEAT) beat(now);
  else if (lamp_mode == PATTERN && (int32_t)(now - lamp_due) >= 0) next_bit();
}
