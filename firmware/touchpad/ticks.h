// The clock: Timer1 in half microseconds, made 32 bits long by looking often.
#pragma once
#include <Arduino.h>

static const uint32_t TICK_HZ = 2000000;
static const uint32_t TICKS_PER_MS = TICK_HZ / 1000;

// Changed by the capture interrupt at each of its runs; see capture.h.
extern volatile uint8_t capture_head;
extern volatile uint8_t short_pulses;

static uint16_t ticks_high;
static uint16_t ticks_last;

static void begin_ticks() {
  TCCR1A = 0;
  TCCR1B = _BV(ICNC1) | _BV(CS11);  // /8; input capture: falling edge, noise filter on
  TCNT1 = 0;
  TIFR1 = _BV(ICF1);
}

// Reads a 16-bit register of Timer1. Its high byte waits in a latch that the interrupt uses as
// well, so a reading in which the interrupt ran is taken again: cheaper than switching it off,
// which would make stamps late.
static inline uint16_t timer_register(volatile uint16_t &reg) {
  uint16_t value;
  uint8_t head, pulses;
  do {
    head = capture_head;
    pulses = short_pulses;
    value = reg;
  } while (head != capture_head || pulses != short_pulses);
  return value;
}

// Ticks since boot. Must be called at least every 32 ms: it sees the timer's wrap by comparing.
static uint32_t ticks() {
  const uint16_t low = timer_register(TCNT1);
  if (low < ticks_last) ticks_high++;
  ticks_last = low;
  return ((uint32_t)ticks_high << 16) | low;
}

// The same in 0.128 ms, 16 bits: for spans of up to 8 s, at half the memory.
typedef uint16_t coarse_t;
static inline coarse_t coarse(uint32_t tick) { return tick >> 8; }
static const coarse_t COARSE_PER_MS = 8;  // 7.8: what is waited for lasts 2 % longer

// Makes a 16-bit stamp of the last 32 ms long.
static inline uint32_t lengthen(uint16_t stamp, uint32_t now) {
  return now - (uint16_t)((uint16_t)now - stamp);
}
